// `npx bourse operator add <name> --roles admin` and `npx bourse operator reset <name>`: manages operators from the
// console of the exchange's machine. The first operator of a production install has no other way in. Works beside a
// running exchange and while it is stopped.
import { parseArgs } from 'node:util';
import { fail } from './lib/clone.mjs';
import { defaultDataDir, withDatabase } from './lib/install-database.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    roles: { type: 'string', default: 'admin' },
    'data-dir': { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [verb, username] = positionals;
if (!['add', 'reset'].includes(verb) || username === undefined || positionals.length !== 2)
  fail('Say what and who: npx bourse operator add alice --roles admin, or npx bourse operator reset alice');

try {
  const access = await withDatabase(
    values['data-dir'] ?? defaultDataDir(),
    ['PASSWORD_PEPPER'],
    async (config, url) => {
      const { addOperator, resetOperator } = await import('@bourse/auth/operators');
      return verb === 'add'
        ? addOperator(config, url, { username, roles: values.roles.split(',').map((role) => role.trim()) })
        : resetOperator(config, url, username);
    },
  );
  const shown = [
    '',
    `Operator ${access.username}. What follows is shown this once:`,
    `  password             ${access.password}`,
    `  authenticator        ${access.totpSecret}`,
    `  for its QR code      ${access.otpauthUrl}`,
    '',
    'The first sign-in asks for a password of your own of at least 12 characters: ' +
      'whoever has read this screen knows this one.',
    '',
  ].join('\n');
  const { username: name, password, totpSecret, otpauthUrl } = access;
  console.log(values.json ? JSON.stringify({ username: name, password, totpSecret, otpauthUrl }) : shown);
} catch (error) {
  fail(process.env.DEBUG ? error.stack : error.message);
}
