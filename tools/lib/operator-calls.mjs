// Calls of an operator to a running exchange, for tools.
const TIMEOUT_MS = 30_000;

/** The exchange at `url`, else at BOURSE_URL, else on this machine. */
export function exchangeAt(url) {
  const base = (url ?? process.env.BOURSE_URL ?? `http://127.0.0.1:${process.env.PORT || 8080}`).replace(/\/$/, '');
  const call = (method, path, fields, token) => ask(base, method, path, fields, token);
  return {
    base,
    call,
    /** Signs in, runs `work(call, token)` and signs out. */
    asOperator: async (work) => {
      const token = await call('POST', '/api/admin/login', await credentials(call));
      try {
        return await work((method, path, fields) => call(method, path, fields, token), token);
      } finally {
        await call('POST', '/api/admin/logout', {}, token);
      }
    },
  };
}

async function ask(base, method, path, fields, token) {
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

async function credentials(call) {
  const { OPERATOR_NAME: username, OPERATOR_PASSWORD: password, OPERATOR_TOTP: code } = process.env;
  if (username && password) return { username, password, ...(code ? { totp_code: code } : {}) };
  const { dev } = await call('GET', '/api/config');
  if (dev !== 1) throw new Error('This is no demo install: set OPERATOR_NAME, OPERATOR_PASSWORD and OPERATOR_TOTP.');
  return { username: 'operator', password: 'Harbor-2468' };
}
