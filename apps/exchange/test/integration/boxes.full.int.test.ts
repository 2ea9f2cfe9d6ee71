import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing';
import { ExchangeProcess } from './exchange-process.js';
import { call, settled } from './trading-log.js';

jest.setTimeout(testTimeoutMs(120_000));

const USDT = 3;
let exchange: ExchangeProcess;
let token: string;
beforeAll(async () => {
  exchange = await ExchangeProcess.create('service-template', {
    BOURSE_EXAMPLES: 'service-template',
    MAKER: 'off',
    PRICE_FEED: 'simulated',
  });
  await exchange.start();
  const person = { user_string: 'trader1@demo.bourse', password: 'Harbor-2468' };
  token = (await call(exchange.url, 'POST', '/api/user/login', person)).message as string;
});
afterAll(async () => {
  await exchange.dispose();
});

interface Shown {
  readonly id: string;
  readonly currency: number;
  readonly amount: string;
}
const open = (amount: string, key?: string): ReturnType<typeof call> =>
  call(exchange.url, 'POST', '/api/template/box', { currency: String(USDT), amount }, token, key);
const boxes = async (): Promise<readonly Shown[]> =>
  (await call(exchange.url, 'GET', '/api/template/boxes', {}, token)).message as readonly Shown[];
interface Reconciliation {
  readonly checks: readonly { readonly name: string; readonly ok: 0 | 1; readonly detail: string }[];
}
/** The round that the auditors have finished last. */
const findings = async (): Promise<Reconciliation['checks']> => {
  const operator = { username: 'operator', password: 'Harbor-2468' };
  const signedIn = (await call(exchange.url, 'POST', '/api/admin/login', operator)).message as string;
  return ((await call(exchange.url, 'GET', '/api/admin/reconciliation', {}, signedIn)).message as Reconciliation)
    .checks;
};

test('a box opens with a hold of its amount, once, and closes when its time has come [TEMPLATE-002]', async () => {
  const opened = await open('12.5', 'template-box-1');
  expect(opened).toMatchObject({ type: 'ok', key: 'box.opened' });
  expect(await open('12.5', 'template-box-1')).toMatchObject({ type: 'ok', id: opened.id });
  expect(await boxes()).toMatchObject([{ id: opened.id, currency: USDT, amount: '12.5' }]);
  const round = await settled(
    findings,
    (checks) => checks.some(({ name }) => name === 'service-template.counts'),
    testTimeoutMs(8_000),
  );
  expect(round.filter(({ name }) => /service-template|gateway\.(holds|reach)/.test(name))).toEqual([
    expect.objectContaining({ name: 'service-template.counts', ok: 1 }),
    expect.objectContaining({ name: 'gateway.holds', ok: 1 }),
  ]);
  await call(exchange.url, 'POST', '/dev/clock', { advance_seconds: '61' });
  expect(await settled(boxes, (left) => left.length === 0)).toEqual([]);
});

interface Told {
  readonly event: string;
  readonly payload: { readonly box?: { readonly id: string; readonly state: string } };
}
test('its owner gets a push when it opens and when it closes [TEMPLATE-004]', async () => {
  const since = async (): Promise<readonly Told[]> =>
    (
      (await call(exchange.url, 'GET', '/api/stream/since', { user_seq: String(start) }, token)).message as {
        readonly events: readonly Told[];
      }
    ).events.filter(({ event }) => event === 'box_update');
  const { user_seq: start } = (await call(exchange.url, 'GET', '/api/stream/since', { user_seq: '0' }, token))
    .message as { readonly user_seq: number };
  const { id } = await open('2');
  await call(exchange.url, 'POST', '/dev/clock', { advance_seconds: '61' });
  const told = await settled(since, (events) => events.length >= 2);
  expect(told.map(({ payload: { box } }) => [box?.id, box?.state])).toEqual([
    [id, 'open'],
    [id, 'closed'],
  ]);
});

test('a refusal of the ledger leaves no box, and no more open than the setting allows [TEMPLATE-003]', async () => {
  expect(await open('999999999999')).toMatchObject({ type: 'error', key: 'balance.insufficient' });
  expect(await boxes()).toEqual([]);
  for (const amount of ['1', '2', '3']) expect(await open(amount)).toMatchObject({ type: 'ok' });
  expect(await open('4')).toMatchObject({ key: 'box.tooMany', params: { most: 3 } });
  await call(exchange.url, 'POST', '/dev/clock', { advance_seconds: '61' });
  expect(await settled(boxes, (left) => left.length === 0)).toEqual([]);
  expect(await open('5')).toMatchObject({ type: 'ok' });
});

test('only its owner takes a box back before its time [TEMPLATE-006]', async () => {
  const takeBack = (id: unknown, whose: string): ReturnType<typeof call> =>
    call(exchange.url, 'PUT', '/api/template/box', { id: String(id) }, whose);
  const { id } = await open('3');
  const other = { user_string: 'trader2@demo.bourse', password: 'Harbor-2468' };
  const stranger = (await call(exchange.url, 'POST', '/api/user/login', other)).message as string;
  expect(await takeBack(id, stranger)).toMatchObject({ type: 'error', key: 'common.notFound' });
  expect(await takeBack(id, token)).toMatchObject({ type: 'ok', id });
  expect((await boxes()).map((box) => box.id)).not.toContain(id);
  expect(await takeBack(id, token)).toMatchObject({ type: 'error', key: 'common.notFound' });
});
