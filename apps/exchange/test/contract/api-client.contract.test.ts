import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { io, type Socket } from 'socket.io-client';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, call, get, post } from './client.js';
import { createTrader, done, FUND } from './people.js';

jest.setTimeout(testTimeoutMs(15_000));

const root = fileURLToPath(new URL('../../../../', import.meta.url));
interface Key {
  readonly key: string;
  readonly secret: string;
}
let token: string;
let trading: Key;
let reading: Key;
const made: string[] = [];

async function create(permissions: string, more: Record<string, string> = {}): Promise<Key> {
  const { message } = await done(
    post('/api/apikey', { label: `test ${permissions}`, permissions, password: FUND, ...more }, { token }),
  );
  const key = message;
  made.push(key.key);
  return key;
}
beforeAll(async () => {
  ({ token } = await createTrader({ change: { 1: '1', 3: '10000' } }));
  [trading, reading] = [await create('read,trade'), await create('read')];
});

/** A call signed by hand, to compare with the example. */
async function signed(
  { key, secret }: Key,
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: { type: string; key?: string; message: unknown } }> {
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', secret)
    .update(
      [
        method,
        path,
        timestamp,
        createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      ].join('\n'),
    )
    .digest('hex');
  const response = await fetch(`${BASE}${path}`, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: {
      'x-api-key': key,
      'x-api-timestamp': timestamp,
      'x-api-signature': signature,
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
  });
  return { status: response.status, body: (await response.json()) as never };
}

describe('programs', () => {
  test(
    'the example lists balances, finds its order after a lost answer, and cancels it [APIKEY-006]',
    async () => {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [join(root, 'examples/api-client/demo.mjs')],
        {
          env: {
            PATH: process.env['PATH'],
            BOURSE_URL: BASE,
            BOURSE_API_KEY: trading.key,
            BOURSE_API_SECRET: trading.secret,
          },
          timeout: 40_000,
        },
      );
      expect(stderr).toBe('');
      expect(stdout).toMatch(
        /^Balances:\n( {2}\S+ +[\d.]+ free, [\d.]+ held\n)+Order (\d+) is placed \(its first answer was lost and asked for again\)\.\nOpen at that price: 1\nThe same command again answers order \2: the same\nIts stored outcome: .+\nCancelled with 0\.001\d* left\.\n$/,
      );
    },
    testTimeoutMs(15_000),
  );

  test('a key that only reads places no order; no key withdraws, uploads or sees security [APIKEY-003]', async () => {
    expect((await signed(reading, 'GET', '/api/coin/list?status=1')).body.type).toBe('ok');
    expect((await signed(reading, 'POST', '/api/wallet/list')).body.type).toBe('ok');
    expect(
      await signed(
        reading,
        'POST',
        '/api/coin/trade',
        'legal_id=3&currency_id=1&type=1&target_price=1000&amount=0.001',
      ),
    ).toMatchObject({ status: 403, body: { key: 'common.forbidden' } });
    for (const [method, path] of [
      ['POST', '/api/wallet/out'],
      ['POST', '/api/wallet/change'],
      ['POST', '/api/wallet/deposit_return'],
      ['POST', '/api/apikey'],
      ['GET', '/api/apikey'],
      ['DELETE', '/api/apikey'],
      ['GET', '/api/user/sessions'],
      ['GET', '/api/user/authorization_code'],
      ['POST', '/api/safe/update_password'],
      ['POST', '/api/safe/passkey_setup'],
      ['POST', '/api/safe/totp_setup'],
      ['POST', '/api/user/cash_info'],
      ['GET', '/api/admin/audit'],
      ['POST', '/api/admin/breaker'],
    ] as const) {
      const answer = await signed(trading, method, path);
      expect([path, answer.status, answer.body.key]).toEqual([path, 403, 'common.forbidden']);
    }
  });

  test('the document of all calls names the calls of a key: none of them takes money out [APIKEY-003]', async () => {
    const { paths } = JSON.parse((await get('/api/openapi.json')).text) as {
      paths: Record<string, Record<string, { 'x-call'?: { api_key: string } }>>;
    };
    const trade = Object.entries(paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, { 'x-call': told }]) => told?.api_key === 'trade')
          .map(([method]) => `${method.toUpperCase()} ${path}`),
      )
      .sort();
    // Reviewed: a new line means that a stolen key may make this call.
    expect(trade).toEqual([
      'POST /api/coin/batch',
      'POST /api/coin/cancel',
      'POST /api/coin/cancel_all',
      'POST /api/coin/oco',
      'POST /api/coin/trade',
      'POST /api/lever/batch_close',
      'POST /api/lever/cancel',
      'POST /api/lever/close',
      'POST /api/lever/setstop',
      'POST /api/lever/submit',
      'POST /api/microtrade/submit',
      'POST /api/transaction/in',
      'POST /api/transaction/out',
      'POST /api/transaction_del',
      'PUT /api/coin/order',
      'PUT /api/coin/trade',
    ]);
  });

  test('a socket of a key that trades places orders, once for each handshake; a reader none [APIKEY-007]', async () => {
    const handshake = ({ key, secret }: Key): object => {
      const timestamp = String(Date.now());
      const text = ['GET', '/socket.io', timestamp, createHash('sha256').update('').digest('hex')].join('\n');
      return { key, timestamp, signature: createHmac('sha256', secret).update(text).digest('hex') };
    };
    const opened: Socket[] = [];
    const place = async (auth: object): Promise<unknown> => {
      const socket = io(BASE, { auth, transports: ['websocket'], forceNew: true, reconnection: false });
      opened.push(socket);
      await new Promise((resolve, reject) => {
        socket.once('connect', () => resolve(null));
        socket.once('connect_error', reject);
      });
      const params = { legal_id: 3, currency_id: 1, type: 1, target_price: '20000', amount: '0.001' };
      return socket.timeout(5_000).emitWithAck('order.place', { id: 1, params });
    };
    try {
      const auth = handshake(trading);
      const placed = (await place(auth)) as { answer: { id: string } };
      expect(placed).toMatchObject({ id: 1, status: 200, answer: { type: 'ok', key: 'trade.success' } });
      expect(await place(auth)).toMatchObject({ key: 'apikey.signature', params: { reason: 'replay' } });
      expect(await place(handshake(reading))).toMatchObject({
        status: 403,
        answer: { type: 'error', key: 'common.forbidden' },
      });
      await done(call('PUT', '/api/coin/trade', { id: placed.answer.id }, { token }));
    } finally {
      for (const socket of opened) socket.disconnect();
    }
  });

  test('a key that was ended, or is bound to another address, is of no use [APIKEY-005]', async () => {
    const [ended, afar] = [await create('read'), await create('read', { ips: '10.1.2.3' })];
    expect((await signed(ended, 'GET', '/api/wallet/holds')).body.type).toBe('ok');
    expect((await call('DELETE', '/api/apikey', { key: ended.key, password: FUND }, { token })).body.type).toBe('ok');
    await eventuallySatisfied(
      () => signed(ended, 'GET', '/api/wallet/holds'),
      ({ status }) => status !== 200,
    );
    expect(await signed(ended, 'GET', '/api/wallet/holds')).toMatchObject({
      status: 401,
      body: { key: 'apikey.signature' },
    });
    expect(await signed(afar, 'GET', '/api/wallet/holds')).toMatchObject({
      status: 403,
      body: { key: 'common.forbidden' },
    });
  });

  test('the keys of this test go again', async () => {
    for (const key of made) await call('DELETE', '/api/apikey', { key, password: FUND }, { token });
    const { body } = await get('/api/apikey', {}, { token });
    expect(body.message.filter(({ key }) => made.includes(key))).toEqual([]);
  });
});
