// `npx bourse secrets`: whether the secrets of this shell are those that the install was made with. Each has a check
// value in the database. --accept NAME,NAME takes new ones at the next start, on purpose: for secrets under which
// nothing is kept. Sessions may end, and requests that were sent before are not recognised when they come again.
// JWT_SECRET, PASSWORD_PEPPER and WALLET_KEY_SECRET are replaced by giving the old one beside the new one
// (docs/decisions/0063), a data key by another id before it (docs/data-keys.md).
// --data-dir DIR the install's folder
import { parseArgs } from 'node:util';
import { fail } from './lib/clone.mjs';
import { defaultDataDir, withDatabase } from './lib/install-database.mjs';

const { values } = parseArgs({
  options: { accept: { type: 'string' }, 'data-dir': { type: 'string' }, json: { type: 'boolean', default: false } },
});
const dataDir = values['data-dir'] ?? defaultDataDir();
const accepted = (values.accept ?? '').split(',').filter(Boolean);

try {
  const { acceptRefusal, SECRET_NAMES_OF_INSTALL } = await import('@bourse/platform');
  const { checkInstall, forgetSecrets } = await import('@bourse/persistence');
  const { installFacts } = await import('@bourse/messaging');
  for (const name of accepted) {
    const refusal = acceptRefusal(name);
    if (refusal !== null) throw new Error(refusal);
  }
  await withDatabase(dataDir, [], async (config, url) => {
    if (accepted.length > 0) {
      const schemas = await forgetSecrets(url, accepted);
      console.log(
        values.json
          ? JSON.stringify({ forgotten: accepted, schemas })
          : `${accepted.join(', ')}: forgotten in ${schemas} schemas. The next start takes what it is given.`,
      );
      return;
    }
    const facts = { ...installFacts(config), partitions: {} };
    const answers = {};
    for (const name of new Set([...SECRET_NAMES_OF_INSTALL, ...Object.keys(facts.secrets)])) {
      const check = facts.secrets[name];
      const told =
        check === undefined
          ? 'not given'
          : await checkInstall(url, { ...facts, secrets: { [name]: check } }).then(
              () => 'fits',
              (error) => error.message,
            );
      answers[name] = told;
      if (!values.json) console.log(`  ${name.padEnd(26)} ${told}`);
    }
    if (values.json) console.log(JSON.stringify(answers));
    if (Object.values(answers).some((told) => !['fits', 'not given'].includes(told))) process.exitCode = 1;
  });
} catch (error) {
  fail(process.env.DEBUG ? error.stack : error.message);
}
