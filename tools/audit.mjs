// Shows the findings of a running exchange's auditors, and what is stopped. Exit code 1: a check fails; 2: no exchange
// answered.
//   npm run audit                     the exchange at http://127.0.0.1:8080 (PORT), a demo install by its demo operator
//   npm run audit -- --url https://…  another one; also BOURSE_URL
// On an install that is not a demo: in the session of `bourse login` or OPERATOR_TOKEN, else as OPERATOR_NAME with
// OPERATOR_PASSWORD and OPERATOR_TOTP. --json: one value.
import { parseArgs, styleText } from 'node:util';
import { exchangeAt } from './lib/operator-calls.mjs';

const { values } = parseArgs({ options: { url: { type: 'string' }, json: { type: 'boolean', default: false } } });
const { base, call, asOperator } = exchangeAt(values.url);

try {
  const found = await asOperator(async (asked) => {
    // A demo install audits when asked; elsewhere the last round of the exchange itself is shown.
    const { dev } = await call('GET', '/api/config');
    return dev === 1 ? call('GET', '/dev/audit') : asked('GET', '/api/admin/reconciliation');
  });
  if (values.json) console.log(JSON.stringify(found, null, 2));
  else show(found);
  process.exitCode = found.ok === 1 ? 0 : 1;
} catch (error) {
  console.error(`No audit of ${base}: ${error.cause?.message ?? error.message}`);
  process.exitCode = 2;
}

function show({ ok, checked_at: at, checks, breakers }) {
  const width = Math.max(...checks.map(({ name }) => name.length), ...breakers.map(({ scope }) => scope.length));
  const line = (mark, colour, name, text) => console.log(`  ${styleText(colour, mark)} ${name.padEnd(width)}  ${text}`);
  console.log(`\n  Checks of ${base}, ${at} UTC\n`);
  for (const check of checks)
    line(check.ok === 1 ? 'pass' : 'FAIL', check.ok === 1 ? 'green' : 'red', check.name, check.detail);
  console.log('\n  Breakers\n');
  for (const { scope, mode } of breakers)
    line(mode === 'normal' ? 'open' : 'stop', mode === 'normal' ? 'green' : 'yellow', scope, mode);
  console.log(ok === 1 ? '\n  Every invariant holds.\n' : '\n  Something does not hold; see docs/proofs/audit.md.\n');
}
