// `npx bourse seed --users N`: people for load tests on a running demo install, embedded or distributed (rules §17).
// See `seedLoad` for how. --tokens FILE opens a session for each and writes their tokens, one line of JSON: [{ id,
// account, token }].
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fail, progress } from './lib/clone.mjs';
import { seedInstall } from './lib/seed-install.mjs';

const { values } = parseArgs({
  options: {
    users: { type: 'string' },
    tokens: { type: 'string' },
    'data-dir': { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const users = Number(values.users);
if (!Number.isSafeInteger(users) || users < 1) fail('Say how many people: npx bourse seed --users 1000');
try {
  const { added, people } = await seedInstall({
    users,
    dataDir: values['data-dir'],
    sessions: values.tokens !== undefined,
  });
  if (values.tokens !== undefined) writeFileSync(values.tokens, JSON.stringify(people), { mode: 0o600 });
  if (values.json) console.log(JSON.stringify({ added, present: users - added, tokens: values.tokens ?? null }));
  else
    progress(
      `${added} people added, ${users - added} were there; their balances are ` +
        `booked.${values.tokens === undefined ? '' : ` Tokens: ${values.tokens}`}`,
    );
} catch (error) {
  fail(process.env.DEBUG ? error.stack : error.message);
}
