import { expect, jest, test } from '@jest/globals';
import { inProcess as run } from './in-process.js';

jest.setTimeout(60_000);

/* The driver with an exchange whose clock differs. */

test.each([3_600_000, -60_000])('calls and streams follow a clock that is %s ms ahead [API-045]', async (ms) => {
  expect(
    await run(`
const { state, bot: made, close } = await clockwork(${String(ms)});
const kept = made({});
await kept.loadMarkets();
told.off = await kept.fetchOpenOrders().catch((error) => error.constructor.name);
const exchange = made({ adjustForTimeDifference: true });
await exchange.loadMarkets();
told.orders = await exchange.fetchOpenOrders();
told.difference = Math.round(exchange.options.timeDifference / 10_000) * 10_000;
// A clock that jumps while the bot runs: the call is refused once, and goes out again.
state.aheadMs = 0;
state.asked = [];
told.again = await exchange.fetchOpenOrders();
told.asked = [...state.asked];
told.none = exchange.options.timeDifference;
// A stream needs no option.
state.aheadMs = ${String(ms)};
const watched = kept.watchOrders();
await kept.ready();
told.ready = kept.isOpen;
await Promise.all([kept.close(), exchange.close(), watched.catch(() => undefined)]);
close();
`),
  ).toEqual({
    off: 'InvalidNonce',
    orders: [],
    difference: -ms,
    again: [],
    asked: ['/api/coin/list', '/api/time', '/api/coin/list'],
    none: 0,
    ready: true,
  });
});

test('a call that is refused for its time by a clock that is right is refused once [API-045]', async () => {
  expect(
    await run(`
const { state, bot: made, close } = await clockwork(0);
const exchange = made({ adjustForTimeDifference: true });
await exchange.loadMarkets();
state.aheadMs = 60_000;
// The exchange states the time that the bot's clock already has.
exchange.loadTimeDifference = () => Promise.resolve(0);
state.asked = [];
told.refused = await exchange.fetchOpenOrders().catch((error) => error.constructor.name);
told.asked = [...state.asked];
await exchange.close();
close();
`),
  ).toEqual({ refused: 'InvalidNonce', asked: ['/api/coin/list'] });
});
