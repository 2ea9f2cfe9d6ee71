import { describe, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { connect, get, post } from './client.js';
import { createTrader, PASSWORD } from './people.js';

/*
 * The market cannot be rigged, not even by the house: its trades with itself are marked, its quoting is public, and no
 * one can sign in as a house account. This is a demo install, where such trades exist; the tests of the books and of
 * market-data prove that a production install has none.
 */
jest.setTimeout(testTimeoutMs(30_000));
const [USDT, BTC] = [3, 1];
const pair = { legal_id: USDT, currency_id: BTC };
interface Row {
  readonly id: string;
  readonly house: number;
}
const rows = async (limit = 100): Promise<Row[]> =>
  (await get('/api/market/trades', { ...pair, limit })).body.message.list;

describe('trades of the house with itself', () => {
  test('are marked in the list, the book and the push; a trade with another user is not [HARD-210]', async () => {
    const socket = await connect();
    const pushes: Row[] = [];
    socket.on('match_trade', (push: Row) => pushes.push(push));
    await socket.emitWithAck('subscribe', { channel: 'trades', symbol: 'BTC/USDT' });
    const marked = await eventuallySatisfied(rows, (list) => list.some(({ house }) => house === 1), 20_000);
    expect(marked.every(({ house }) => house === 0 || house === 1)).toBe(true);
    // A user who takes from the house's quotes.
    const { token } = await createTrader({ change: { 3: '1000' } });
    const { body } = await post(
      '/api/coin/trade',
      { ...pair, type: 1, order_type: 'market', amount: '0.001' },
      { token },
    );
    expect(body).toMatchObject({ type: 'ok' });
    const fills = await eventuallySatisfied(
      async () => (await get('/api/coin/fills', { order_id: body.id, page: 1 }, { token })).body.message.data,
      (data) => data.length > 0,
    );
    const mine = new Set(fills.map(({ id }) => id));
    const listed = await eventuallySatisfied(rows, (list) => list.some(({ id }) => mine.has(id)));
    expect(listed.filter(({ id }) => mine.has(id)).map(({ house }) => house)).toEqual(fills.map(() => 0));
    await eventuallySatisfied(
      () => pushes,
      (seen) => seen.some(({ id }) => mine.has(id)) && seen.some(({ house }) => house === 1),
      30_000,
    );
    // The push agrees with the list.
    const marks = new Map((await rows()).map(({ id, house }) => [id, house]));
    for (const { id, house } of pushes) if (marks.has(id)) expect([id, house]).toEqual([id, marks.get(id)]);
    const { complete } = (await post('/api/transaction/deal', pair)).body.message;
    for (const { id, house } of complete) if (marks.has(id)) expect([id, house]).toEqual([id, marks.get(id)]);
    socket.disconnect();
  });
});

describe('the house', () => {
  test('is public in the status, with the reserve of each product [HARD-210]', async () => {
    const { message } = (await get('/api/status')).body;
    // No product is sold against the house yet.
    expect(message).toMatchObject({ maker: 1, house: {} });
  });

  test.each(['maker@house.bourse', 'taker@house.bourse'])(
    '%s cannot be used by any caller, by any way to sign in [HARD-210]',
    async (account) => {
      const stranger = (await post('/api/user/login', { user_string: `nobody-${account}`, password: PASSWORD })).body;
      const { body } = await post('/api/user/login', { user_string: account, password: PASSWORD });
      expect([body.type, body.key]).toEqual(['error', stranger.key]);
      // The same answer as for any user, and no message is sent.
      for (const scene of ['login', 'forget']) {
        const sent = (await post('/api/sms_mail', { user_string: account, scene })).body;
        expect(sent.key).toMatch(/^code\.(sent|tooSoon)$/);
        expect((await get('/dev/inbox', { to: account, scene, limit: 1 })).body.message).toEqual([]);
      }
      const forgotten = await post('/api/user/forget', {
        account,
        user_string: account,
        code: '123456',
        password: 'Another-Harbor-1',
        re_password: 'Another-Harbor-1',
        repassword: 'Another-Harbor-1',
      });
      expect(forgotten.body.type).toBe('error');
    },
  );
});
