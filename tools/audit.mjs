// Shows what the auditors of a running exchange find, and what is stopped. Exit code 1: a check fails; 2: nobody could
// be asked. npm run audit the exchange at http://127.0.0.1:8080 (PORT), a demo install by its demo operator npm run
// audit -- --url https://… another one; also BOURSE_URL OPERATOR_NAME, OPERATOR_PASSWORD, OPERATOR_TOTP: who signs in,
// where it is no demo install
import { parseArgs, styleText } from 'node:util';

const { values } = parseArgs({ options: { url: { type: 'string' }, json: { type: 'boolean', default: false } } });
const base = (values.url ?? process.env.BOURSE_URL ?? `http://127.0.0.1:${process.env.PORT ?? 8080}`).replace(
  /\/$/,
  '',
);
const TIMEOUT_MS = 30_000;

async function call(method, path, fields, token) {
  const response = await fetch(`${base}${path}`, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      lang: 'en',
      ...(token ? { authorization: token } : {}),
      ...(fields ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(fields ? { body: new URLSearchParams(fields).toString() } : {}),
  });
  const body = await response.json();
  if (body.type !== 'ok') throw new Error(`${path}: ${body.message} (${body.key ?? response.status})`);
  return body.message;
}

async function credentials() {
  const { OPERATOR_NAME: username, OPERATOR_PASSWORD: password, OPERATOR_TOTP: code } = process.env;
  if (username && password) return { username, password, ...(code ? { totp_code: code } : {}) };
  const { dev } = await call('GET', '/api/config');
  if (dev !== 1) throw new Error('This is no demo install: set OPERATOR_NAME, OPERATOR_PASSWORD and OPERATOR_TOTP.');
  return { username: 'operator', password: 'Harbor-2468' };
}

try {
  const who = await credentials();
  const token = await call('POST', '/api/admin/login', who);
  // A demo install audits when asked; elsewhere the last round of the exchange itself is shown.
  const { dev } = await call('GET', '/api/config');
  const found =
    dev === 1 ? await call('GET', '/dev/audit') : await call('GET', '/api/admin/reconciliation', undefined, token);
  await call('POST', '/api/admin/logout', {}, token);
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
