// `bourse login` and `bourse logout`: one session of an operator for the commands that follow (audit, breaker, pairs),
// because a code of an authenticator counts once. It ends as every session of an operator does.
//   bourse login --url https://…           asks for name, password and code, and keeps the session
//   bourse login --url https://… --print   prints the token instead, for OPERATOR_TOKEN of a script
// OPERATOR_NAME, OPERATOR_PASSWORD, OPERATOR_TOTP and OPERATOR_NEW_PASSWORD (in place of a password that somebody else
// has chosen) answer the questions where there is no terminal.
import { Writable } from 'node:stream';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { exchangeAt, Refusal } from './lib/operator-calls.mjs';
import { keepSession, sessionAt, sessionsFile } from './lib/operator-sessions.mjs';

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    print: { type: 'boolean', default: false },
    end: { type: 'boolean', default: false },
  },
});
const exchange = exchangeAt(values.url);

/** Asks at the terminal; `hidden`: the answer is not shown. */
async function ask(question, { hidden = false } = {}) {
  if (!process.stdin.isTTY) return '';
  process.stderr.write(question);
  const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return (await lines.question('')).trim();
  } finally {
    lines.close();
    if (hidden) process.stderr.write('\n');
  }
}

async function open() {
  const username = process.env.OPERATOR_NAME || (await ask('Name: '));
  const password = process.env.OPERATOR_PASSWORD || (await ask('Password: ', { hidden: true }));
  if (!username || !password) throw new Error('Set OPERATOR_NAME, OPERATOR_PASSWORD and OPERATOR_TOTP.');
  const code = process.env.OPERATOR_TOTP || (await ask('Code of the authenticator (empty: none): '));
  const fields = { username, password, ...(code ? { totp_code: code } : {}) };
  const signIn = (more = {}) => exchange.call('POST', '/api/admin/login', { ...fields, ...more });
  try {
    return await signIn();
  } catch (error) {
    if (!(error instanceof Refusal) || error.key !== 'admin.passwordFirst') throw error;
    // The refusal has not used the code up.
    return await signIn({ new_password: await askNewPassword(error) });
  }
}

/** The password in place of the first one. @throws the refusal where nobody answers */
async function askNewPassword(refusal) {
  const given = process.env.OPERATOR_NEW_PASSWORD;
  if (given) return given;
  const chosen = await ask('New password, in place of the first one: ', { hidden: true });
  if (!chosen) {
    refusal.message += ' Set OPERATOR_NEW_PASSWORD.';
    throw refusal;
  }
  if ((await ask('The same again: ', { hidden: true })) !== chosen) throw new Error('The two passwords differ.');
  return chosen;
}

async function end() {
  const token = sessionAt(exchange.base);
  if (token === undefined) return console.log(`There is no session at ${exchange.base}.`);
  // It is forgotten once it has ended: until then only this token can end it.
  await exchange.call('POST', '/api/admin/logout', {}, token).catch((error) => {
    if (!(error instanceof Refusal) || error.key !== 'auth.expired') throw error;
  });
  keepSession(exchange.base, undefined);
  console.log(`Signed out at ${exchange.base}.`);
}

try {
  if (values.end) await end();
  else {
    const token = await open();
    if (values.print) console.log(token);
    else {
      keepSession(exchange.base, token);
      console.log(`Signed in at ${exchange.base}. The session is kept in ${sessionsFile()}; bourse logout ends it.`);
    }
  }
} catch (error) {
  const why = error.cause?.message ?? error.message;
  const hint =
    error instanceof Refusal && error.key === 'login.totpWrong'
      ? ' A code counts once: if it was used just now, wait for the next one.'
      : '';
  console.error(`${exchange.base}: ${why}${hint}`);
  process.exitCode = error.cause === undefined ? 1 : 2;
}
