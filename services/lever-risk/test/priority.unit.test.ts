import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Lease } from '@bourse/messaging';
import { MemoryDatabases, MemoryServer, type MemoryDatabase } from '@bourse/persistence/memory';
import type { CallContext, Clock } from '@bourse/platform';
import { eventually } from '@bourse/testing';
import { Judge, RESERVED_MS, type Triggered } from '../src/application/judge.js';
import type { LeverMarkets } from '../src/application/lever-markets.js';
import type { Balances, LeverDatabase, PositionStore } from '../src/application/ports.js';
import { RiskOwner, type RiskParts } from '../src/application/risk-owner.js';
import { SetStops } from '../src/application/set-stops.js';
import type { PositionEvents } from '../src/application/position-events.js';
import { SimulatedAccounts } from '../src/simulation/stores.js';
import { positionWith } from './positions.js';

const ACCOUNT = { userId: 1, quote: 3 };
/** Far below where the position is liquidated. */
const MARK = 1_000_000n;

let now: number;
let database: MemoryDatabase;
let accounts: SimulatedAccounts;
let claims: number;
let judge: Judge;
beforeEach(() => {
  now = 1_000_000;
  claims = 0;
  database = new MemoryDatabases(new MemoryServer({ now: () => now })).at('lever');
  accounts = new SimulatedAccounts(database);
  const claim = accounts.claim.bind(accounts);
  accounts.claim = (...of) => {
    claims += 1;
    return claim(...of);
  };
  judge = new Judge(
    accounts,
    { liveOf: () => Promise.resolve([]) } as unknown as PositionStore,
    { of: () => Promise.resolve({ balances: {}, house: '0' }) } as unknown as Balances,
    { currency: () => ({ scale: 8 }) } as unknown as LeverMarkets,
  );
});

describe('an account that risk wants and a call has [LEVER-090] [HARD-404]', () => {
  test('is left to risk by every call until risk has had it', async () => {
    const call = await judge.claim(ACCOUNT);
    expect(await judge.claimForRisk(ACCOUNT)).toBeNull();
    await call.leave();
    expect(await judge.tryClaim(ACCOUNT)).toBeNull();
    const risk = await judge.claimForRisk(ACCOUNT);
    expect(risk).not.toBeNull();
    await risk?.leave();
    expect(await judge.tryClaim(ACCOUNT)).not.toBeNull();
  });

  test('goes to risk and not to the call that waits, whose turn comes after', async () => {
    const call = await judge.claim(ACCOUNT);
    expect(await judge.claimForRisk(ACCOUNT)).toBeNull();
    const order: string[] = [];
    const waiting = judge.claim(ACCOUNT).then((seat) => {
      order.push('call');
      return seat;
    });
    await call.leave();
    const before = claims;
    await eventually(() => claims >= before + 3);
    const risk = await judge.claimForRisk(ACCOUNT);
    order.push('risk');
    await risk?.leave();
    await (await waiting).leave();
    expect(order).toEqual(['risk', 'call']);
  });

  test('is free for calls again once the owner of the index has not asked for it for a while', async () => {
    const call = await judge.claim(ACCOUNT);
    await judge.claimForRisk(ACCOUNT);
    await call.leave();
    now += RESERVED_MS;
    expect(await judge.tryClaim(ACCOUNT)).toBeNull();
    now += 1;
    expect(await judge.tryClaim(ACCOUNT)).not.toBeNull();
  });
});

test('while one call of an account waits the others are refused at once [LEVER-091] [HARD-404]', async () => {
  const first = await judge.claim(ACCOUNT);
  const second = judge.claim(ACCOUNT);
  await eventually(() => claims >= 3);
  const before = claims;
  const others = Array.from({ length: 40 }, () => judge.claim(ACCOUNT));
  const refusals = await Promise.allSettled(others);
  expect(refusals.map((one) => (one.status === 'rejected' ? (one.reason as { key: string }).key : one.status))).toEqual(
    others.map(() => 'common.unavailable'),
  );
  // Only the one that waits has asked meanwhile.
  expect(claims - before).toBeLessThanOrEqual(2);
  // Of another account a call waits for nobody.
  await (await judge.claim({ ...ACCOUNT, quote: 4 })).leave();
  await first.leave();
  await (await second).leave();
});

test('stops on the wrong side are refused without claiming the account [LEVER-092] [HARD-404]', async () => {
  const position = positionWith({});
  const stops = new SetStops(
    database as unknown as LeverDatabase,
    judge,
    { marks: () => new Map([[1, 6_000_000n]]) } as unknown as LeverMarkets,
    { find: () => Promise.resolve(position) } as unknown as PositionStore,
    {} as PositionEvents,
    {} as Clock,
  );
  const context = { commandId: null, hasKey: false } as CallContext;
  await expect(stops.execute(1, { id: '1', stop: '60000.01' }, context)).rejects.toMatchObject({
    key: 'lever.stopSide',
  });
  expect(claims).toBe(0);
});

describe('the owner of the index [LEVER-093] [HARD-404]', () => {
  /** Runs until `isOver`; the looks at what has changed that it took, the first one included. */
  async function looksUntil(trigger: () => Triggered, isOver: () => boolean): Promise<number> {
    const position = positionWith({});
    let looks = 0;
    const parts = {
      prices: { onTicks: () => () => undefined },
      markets: { all: () => [{ symbol: 'BTC/USDT', pairId: 1 }], marks: () => new Map([[1, MARK]]) },
      accounts: {
        changed: () => {
          looks += 1;
          return Promise.resolve([{ ...ACCOUNT, version: 1 }]);
        },
      },
      reader: {
        read: () =>
          Promise.resolve({
            accounts: [{ ...ACCOUNT, version: 1, balance: 0n, positions: [position] }],
            unreadable: [],
          }),
      },
      unreadable: { tell: () => undefined },
      settings: { get: () => 110_000_000n },
      closes: { trigger: () => Promise.resolve(trigger()) },
      positionEvents: { tell: () => undefined },
    } as unknown as RiskParts;
    const ending = new AbortController();
    const running = new RiskOwner({ part: 0, of: 1 }, parts).run({ signal: ending.signal } as Lease);
    await eventually(isOver);
    const taken = looks;
    ending.abort();
    await running;
    return taken;
  }

  test('asks for a taken account again and again, and does not wait for another tick', async () => {
    let asked = 0;
    const trigger = (): Triggered => {
      asked += 1;
      return asked <= 5 ? 'taken' : 'nothing';
    };
    // A tick or a look for each question would be seven.
    expect(await looksUntil(trigger, () => asked >= 6)).toBeLessThan(5);
  });
});
