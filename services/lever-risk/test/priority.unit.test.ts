import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Lease } from '@bourse/messaging';
import { MemoryDatabases, MemoryServer, type MemoryDatabase } from '@bourse/persistence/memory';
import type { CallContext, Clock } from '@bourse/platform';
import { eventually } from '@bourse/testing';
import { AccountClaims, RESERVED_MS, type TriggerOutcome } from '../src/application/account-claims.js';
import type { LeverMarkets } from '../src/application/lever-markets.js';
import type { Balances, PositionStore } from '../src/application/ports.js';
import { RiskOwner, type RiskParts } from '../src/application/risk-owner.js';
import { SetStops } from '../src/application/set-stops.js';
import type { PositionEvents } from '../src/application/position-events.js';
import { SimulatedAccounts } from '../src/simulation/stores.js';
import { positionWith } from './positions.js';
import { plainCommands } from './plain-commands.js';

const ACCOUNT = { userId: 1, quote: 3 };
/** Far below where the position is liquidated. */
const MARK = 1_000_000n;

let now: number;
let database: MemoryDatabase;
let accounts: SimulatedAccounts;
let attempts: number;
let claims: AccountClaims;
beforeEach(() => {
  now = 1_000_000;
  attempts = 0;
  database = new MemoryDatabases(new MemoryServer({ now: () => now })).at('lever');
  accounts = new SimulatedAccounts(database);
  const claim = accounts.claim.bind(accounts);
  accounts.claim = (...of) => {
    attempts += 1;
    return claim(...of);
  };
  claims = new AccountClaims(
    accounts,
    { liveOf: () => Promise.resolve([]) } as unknown as PositionStore,
    { of: () => Promise.resolve({ balances: {}, house: '0' }) } as unknown as Balances,
    { currency: () => ({ scale: 8 }) } as unknown as LeverMarkets,
  );
});

describe('an account that a call holds and risk demands [LEVER-090] [HARD-404]', () => {
  test('is refused to every call until risk has claimed it', async () => {
    const call = await claims.claim(ACCOUNT);
    expect(await claims.claimForRisk(ACCOUNT)).toBeNull();
    await call.release();
    expect(await claims.tryClaim(ACCOUNT)).toBeNull();
    const risk = await claims.claimForRisk(ACCOUNT);
    expect(risk).not.toBeNull();
    await risk?.release();
    expect(await claims.tryClaim(ACCOUNT)).not.toBeNull();
  });

  test('goes to risk before the waiting call', async () => {
    const call = await claims.claim(ACCOUNT);
    expect(await claims.claimForRisk(ACCOUNT)).toBeNull();
    const order: string[] = [];
    const waiting = claims.claim(ACCOUNT).then((claimed) => {
      order.push('call');
      return claimed;
    });
    await call.release();
    const before = attempts;
    await eventually(() => attempts >= before + 3);
    const risk = await claims.claimForRisk(ACCOUNT);
    order.push('risk');
    await risk?.release();
    await (await waiting).release();
    expect(order).toEqual(['risk', 'call']);
  });

  test('is free for calls again once the reservation expires', async () => {
    const call = await claims.claim(ACCOUNT);
    await claims.claimForRisk(ACCOUNT);
    await call.release();
    now += RESERVED_MS;
    expect(await claims.tryClaim(ACCOUNT)).toBeNull();
    now += 1;
    expect(await claims.tryClaim(ACCOUNT)).not.toBeNull();
  });
});

test('while one call of an account waits, other calls are refused at once [LEVER-091] [HARD-404]', async () => {
  const first = await claims.claim(ACCOUNT);
  const second = claims.claim(ACCOUNT);
  await eventually(() => attempts >= 3);
  const before = attempts;
  const others = Array.from({ length: 40 }, () => claims.claim(ACCOUNT));
  const refusals = await Promise.allSettled(others);
  expect(refusals.map((one) => (one.status === 'rejected' ? (one.reason as { key: string }).key : one.status))).toEqual(
    others.map(() => 'common.unavailable'),
  );
  // Only the waiting call has asked since.
  expect(attempts - before).toBeLessThanOrEqual(2);
  // A call of another account does not wait.
  await (await claims.claim({ ...ACCOUNT, quote: 4 })).release();
  await first.release();
  await (await second).release();
});

test('stops on the wrong side are refused without claiming the account [LEVER-092] [HARD-404]', async () => {
  const position = positionWith({});
  const stops = new SetStops(
    plainCommands(),
    claims,
    { marks: () => new Map([[1, 6_000_000n]]) } as unknown as LeverMarkets,
    { find: () => Promise.resolve(position) } as unknown as PositionStore,
    {} as PositionEvents,
    {} as Clock,
  );
  const context = { commandId: null, hasKey: false } as CallContext;
  await expect(stops.execute(1, { id: '1', stop: '60000.01' }, context)).rejects.toMatchObject({
    key: 'lever.stopSide',
  });
  expect(attempts).toBe(0);
});

describe('the risk owner [LEVER-093] [HARD-404]', () => {
  /** Runs a risk owner until `isOver` and counts its reads of changed accounts, the first one included. */
  async function readsUntil(trigger: () => TriggerOutcome, isOver: () => boolean): Promise<number> {
    const position = positionWith({});
    let reads = 0;
    const parts = {
      prices: { onTicks: () => () => undefined },
      markets: { all: () => [{ symbol: 'BTC/USDT', pairId: 1 }], marks: () => new Map([[1, MARK]]) },
      accounts: {
        changed: () => {
          reads += 1;
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
      unreadable: { report: () => undefined },
      settings: { get: () => 110_000_000n },
      closes: { trigger: () => Promise.resolve(trigger()) },
      positionEvents: { publishSoon: () => undefined },
    } as unknown as RiskParts;
    const ending = new AbortController();
    const running = new RiskOwner({ part: 0, of: 1 }, parts).run({ signal: ending.signal } as Lease);
    await eventually(isOver);
    const taken = reads;
    ending.abort();
    await running;
    return taken;
  }

  test('retries a taken account without waiting for the next tick', async () => {
    let asked = 0;
    const trigger = (): TriggerOutcome => {
      asked += 1;
      return asked <= 5 ? 'taken' : 'nothing';
    };
    // One tick or read per attempt would be seven.
    expect(await readsUntil(trigger, () => asked >= 6)).toBeLessThan(5);
  });
});
