// Calls of an operator to a running exchange, for tools.
import { sessionAt } from './operator-sessions.mjs';

const TIMEOUT_MS = 30_000;

/** The exchange at `url`, else at BOURSE_URL, else on this machine. */
export function exchangeAt(url) {
  const base = (url ?? process.env.BOURSE_URL ?? `http://127.0.0.1:${process.env.PORT || 8080}`).replace(/\/$/, '');
  const call = (method, path, fields, token) => ask(base, method, path, fields, token);
  return {
    base,
    call,
    /**
     * Runs `work(call, token)` in the session of OPERATOR_TOKEN or of `bourse login`, else signs in for it and out
     * again.
     */
    asOperator: async (work) => {
      const workAs = (token) => work((method, path, fields) => call(method, path, fields, token), token);
      const open = process.env.OPERATOR_TOKEN || sessionAt(base);
      if (open) return inSession(() => workAs(open));
      const token = await call('POST', '/api/admin/login', await credentials(call));
      try {
        return await workAs(token);
      } finally {
        await call('POST', '/api/admin/logout', {}, token);
      }
    },
  };
}

/** A call that the exchange refused; `key` is the key of the refusal. */
export class Refusal extends Error {
  constructor(path, { message, key }, status) {
    super(`${path}: ${message} (${key ?? status})`);
    this.key = key;
  }
}

async function inSession(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.key !== 'auth.expired') throw error;
  }
  throw new Error('The session has ended: bourse login opens another one (or give another OPERATOR_TOKEN).');
}

async function ask(base, method, path, fields, token) {
  const init = {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      lang: 'en',
      ...(token ? { authorization: token } : {}),
      ...(fields ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(fields ? { body: new URLSearchParams(fields).toString() } : {}),
  };
  const { status, body } = await answered(`${base}${path}`, path, init);
  if (body.type !== 'ok') throw new Refusal(path, body, status);
  return body.message;
}

/** The answer of an exchange. @throws Error with a cause: none answered, in time or at all, or something else did. */
async function answered(url, path, init) {
  let status;
  try {
    const response = await fetch(url, init);
    ({ status } = response);
    const body = await response.json();
    if (typeof body?.type === 'string') return { status, body };
  } catch (error) {
    if (error.cause !== undefined) throw error;
    if (error.name === 'TimeoutError') throw noAnswer(`${path} was not answered within ${TIMEOUT_MS / 1_000} s.`);
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw noAnswer(`${path} was answered with HTTP ${status} by something that is no exchange.`);
}
const noAnswer = (why) => new Error('no exchange answered', { cause: new Error(why) });

async function credentials(call) {
  const { OPERATOR_NAME: username, OPERATOR_PASSWORD: password, OPERATOR_TOTP: code } = process.env;
  if (username && password) return { username, password, ...(code ? { totp_code: code } : {}) };
  const { dev } = await call('GET', '/api/config');
  if (dev !== 1)
    throw new Error(
      'This is no demo install: sign in by `bourse login`, or set OPERATOR_NAME, OPERATOR_PASSWORD and OPERATOR_TOTP.',
    );
  return { username: 'operator', password: 'Harbor-2468' };
}
