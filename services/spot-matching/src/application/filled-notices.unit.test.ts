import { expect, test } from '@jest/globals';
import { UserNoticesV1, decode, type Message } from '@bourse/events';
import type { Market, Order } from '@bourse/matching';
import { filledNotices } from './filled-notices.js';

const MARKET = {
  symbol: 'BTC/USDT',
  baseName: 'BTC',
  quoteName: 'USDT',
  quoteScale: 8,
  priceScale: 2,
  numberScale: 6,
} as Market;
/** 0.03 BTC for 1,680.00 USDT. */
const filled = (id: number): Order =>
  ({ id: String(id), userId: 7, filled: 30_000, quoteFilled: 168_000_000_000n, updatedAt: 1_000 }) as Order;

test('the owner of a filled order gets its amount and its mean price [NOTICE-035]', () => {
  const [emission, ...more] = filledNotices(new Map([[filled(42), MARKET]]));
  expect([emission?.topic, emission?.partition, more]).toEqual(['user.notices', 0, []]);
  expect(decode(UserNoticesV1, emission!.message as Message)).toEqual({
    ok: true,
    body: {
      notices: [
        {
          userId: 7,
          id: 'order:42:filled',
          kind: 'orderFilled',
          params: { symbol: 'BTC/USDT', number: '0.030000 BTC', price: '56000.00 USDT' },
          link: '/accountEntrust',
          at: 1_000,
        },
      ],
    },
  });
});

test('many notices of one commit go in as few messages as carry them, each once [NOTICE-035]', () => {
  const orders = Array.from({ length: 1_201 }, (_, id) => filled(id));
  const emissions = filledNotices(new Map(orders.map((order) => [order, MARKET])));
  const ids = emissions.map(({ message }) =>
    (message.body as { notices: { id: string }[] }).notices.map(({ id }) => id),
  );
  expect(ids.map(({ length }) => length)).toEqual([500, 500, 201]);
  expect(ids.flat()).toEqual(orders.map(({ id }) => `order:${id}:filled`));
  expect(filledNotices(new Map())).toEqual([]);
});
