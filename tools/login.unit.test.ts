import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';

// Each case starts programs of its own.
jest.setTimeout(testTimeoutMs(12_000));

const root = fileURLToPath(new URL('../', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'bourse-login-'));
const sessions = join(dir, 'state', 'sessions.json');
let server: Server;
let url = '';
let asked: string[] = [];
/** Answers in place of the exchange: a proxy whose exchange is away. */
let proxyOnly = false;
/** The password of the account is still the one that another operator has chosen. */
let isFirstPassword = false;
/** Codes that were used: each counts once, as at the exchange. */
const used = new Set<string>();
const open = new Set<string>();
const BREAKERS = [{ scope: 'all', mode: 'normal' }];

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece: Buffer) => (text += piece.toString()));
    request.on('end', () => {
      if (proxyOnly) return response.writeHead(502).end('<html>Bad Gateway</html>');
      const fields = new URLSearchParams(text);
      const token = request.headers.authorization ?? '';
      asked.push(`${request.url ?? ''} ${token}`.trim());
      const say = (body: object, status = 200): unknown => response.writeHead(status).end(JSON.stringify(body));
      if (request.url === '/api/config') return say({ type: 'ok', message: { dev: 0 } });
      if (request.url === '/api/admin/login') {
        const code = fields.get('totp_code') ?? '';
        if (isFirstPassword && !fields.has('new_password'))
          return say({ type: 'error', key: 'admin.passwordFirst', message: 'Choose a password of your own.' }, 400);
        if (used.has(code))
          return say({ type: 'error', key: 'login.totpWrong', message: 'Wrong authenticator code' }, 400);
        used.add(code);
        open.add(`token-${code}`);
        return say({ type: 'ok', message: `token-${code}` });
      }
      if (!open.has(token)) return say({ type: 'error', key: 'auth.expired', message: 'Please sign in' }, 401);
      if (request.url === '/api/admin/logout') open.delete(token);
      return say({ type: 'ok', message: { breakers: BREAKERS } });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => {
  asked = [];
  proxyOnly = false;
  isFirstPassword = false;
  open.clear();
  used.clear();
  rmSync(sessions, { force: true });
});

async function run(tool: string, env: Readonly<Record<string, string>> = {}, ...words: string[]) {
  const child = spawn(process.execPath, [join(root, 'tools', tool), '--url', url, ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], BOURSE_SESSIONS: sessions, ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}
const ALICE = { OPERATOR_NAME: 'alice', OPERATOR_PASSWORD: 'Lantern-13579', OPERATOR_TOTP: '111111' };

describe('one sign-in for several commands of an operator [DEPLOY-027]', () => {
  test('a session is stored for its owner only, used by later commands, and ended', async () => {
    expect(await run('login.mjs', ALICE)).toMatchObject({ code: 0, said: expect.stringContaining('Signed in at') });
    expect(statSync(sessions).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(sessions, 'utf8'))).toEqual({ [url]: 'token-111111' });
    for (let turn = 0; turn < 2; turn += 1)
      expect(await run('breaker.mjs')).toEqual({ code: 0, said: expect.stringMatching(/all +normal/) });
    expect(asked.filter((one) => one.startsWith('/api/admin/login'))).toHaveLength(1);
    expect(await run('login.mjs', {}, '--end')).toMatchObject({ code: 0 });
    expect([JSON.parse(readFileSync(sessions, 'utf8')), open.size]).toEqual([{}, 0]);
  });

  test('--print prints the token for a script and stores nothing', async () => {
    expect(await run('login.mjs', ALICE, '--print')).toEqual({ code: 0, said: 'token-111111\n' });
    expect(() => statSync(sessions)).toThrow('ENOENT');
    expect(await run('breaker.mjs', { OPERATOR_TOKEN: 'token-111111' })).toMatchObject({ code: 0 });
    expect(open.has('token-111111')).toBe(true);
  });

  test('a used code is refused with a clear message', async () => {
    await run('login.mjs', ALICE);
    const again = await run('login.mjs', ALICE);
    expect(again).toMatchObject({ code: 1, said: expect.stringContaining('A code counts once') });
  });

  test('the first sign-in of an operator sets a password of their own, with the same code [DEPLOY-070]', async () => {
    isFirstPassword = true;
    const refused = await run('login.mjs', ALICE);
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('Set OPERATOR_NEW_PASSWORD.') });
    const signedIn = await run('login.mjs', { ...ALICE, OPERATOR_NEW_PASSWORD: 'Lighthouse-24680' });
    expect(signedIn).toMatchObject({ code: 0, said: expect.stringContaining('Signed in at') });
  });

  test('a session that could not be ended is kept, so that the next logout ends it [DEPLOY-069]', async () => {
    await run('login.mjs', ALICE);
    proxyOnly = true;
    expect(await run('login.mjs', {}, '--end')).toEqual({
      code: 2,
      said: `${url}: /api/admin/logout was answered with HTTP 502 by something that is no exchange.\n`,
    });
    proxyOnly = false;
    expect(await run('login.mjs', {}, '--end')).toMatchObject({ code: 0, said: expect.stringContaining('Signed out') });
    expect([JSON.parse(readFileSync(sessions, 'utf8')), open.size]).toEqual([{}, 0]);
  });

  test('a session that has ended by itself is forgotten by a logout [DEPLOY-069]', async () => {
    await run('login.mjs', ALICE);
    open.clear();
    expect(await run('login.mjs', {}, '--end')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(sessions, 'utf8'))).toEqual({});
  });

  test.each(['breaker.mjs', 'pairs.mjs', 'audit.mjs'])(
    '%s behind a proxy without its exchange ends with 2, as where nothing answers [DEPLOY-069]',
    async (tool) => {
      proxyOnly = true;
      expect(await run(tool, { OPERATOR_TOKEN: 'token' })).toEqual({
        code: 2,
        said: expect.stringContaining('HTTP 502'),
      });
    },
  );

  test('a session that has ended, and none at all, are refused in a sentence that names the command', async () => {
    expect(await run('breaker.mjs', { OPERATOR_TOKEN: 'old' })).toEqual({
      code: 1,
      said: `${url}: The session has ended: bourse login opens another one (or give another OPERATOR_TOKEN).\n`,
    });
    expect(await run('breaker.mjs')).toMatchObject({ code: 1, said: expect.stringContaining('`bourse login`') });
    expect(await run('login.mjs')).toMatchObject({ code: 1, said: expect.stringContaining('Set OPERATOR_NAME') });
  });
});
