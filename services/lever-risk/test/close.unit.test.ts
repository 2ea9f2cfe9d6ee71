import { beforeEach, describe, expect, test } from '@jest/globals';
import { percent, type Direction } from '@bourse/formulas';
import type { LedgerOrder, Sagas } from '@bourse/ledger-client';
import type { Timers } from '@bourse/persistence';
import { Notice, Refused, type CallContext, type Clock } from '@bourse/platform';
import type { Settings } from '@bourse/settings';
import { ClosePositions } from '../src/application/close.js';
import type { Judge, Seat } from '../src/application/judge.js';
import type { LeverMarkets } from '../src/application/lever-markets.js';
import type { LeverDatabase, PositionStore } from '../src/application/ports.js';
import type { PositionEvents } from '../src/application/position-events.js';
import { CLOSED_BY, STATUS, type Position } from '../src/domain/position.js';
import { positionWith } from './positions.js';

const ACCOUNT = { userId: 1, quote: 3 };
const CONTEXT = { commandId: null, hasKey: false } as CallContext;
const USDT = 10n ** 8n;
/** 0.1 of the base at 60,000, with a margin of 60 USDT: at 61,000 it has gained or lost 100. */
const tenth = (id: string, more: Partial<Position>): Position =>
  positionWith({ id, lots: 100_000n, caution: 60n * USDT, originCaution: 60n * USDT, ...more });

/** One account over stores of the test. `prices` are those that are fresh. */
class Stand {
  prices = new Map<number, bigint>([[1, 6_000_000n]]);
  balance = 0n;
  positions: Position[] = [];
  /** What comes while the account is waited for. */
  meanwhile = (): void => undefined;
  readonly closed: Position[] = [];
  readonly commands: LedgerOrder[] = [];
  left = 0;
  claims = 0;
  readonly closing: ClosePositions;

  constructor() {
    const seat = (): Seat => {
      this.meanwhile();
      return {
        account: { ...ACCOUNT, version: 0 },
        balance: this.balance,
        house: 0n,
        positions: this.positions,
        enter: () => Promise.resolve(),
        leave: () => Promise.resolve(void (this.left += 1)),
      };
    };
    /** Rolled back: what a transaction wrote before it failed counts for nothing. */
    const transaction = async <T>(work: (tx: never) => Promise<T>): Promise<T> => {
      const before = this.closed.length;
      try {
        return await work({} as never);
      } catch (error) {
        this.closed.length = before;
        throw error;
      }
    };
    const moves = {
      call: async (
        _: unknown,
        prepare: () => Promise<(tx: never) => Promise<{ command: LedgerOrder; answer: Notice }>>,
      ) => {
        const move = await prepare();
        const { command, answer } = await transaction(move);
        this.commands.push(command);
        return answer;
      },
      begin: (_: unknown, { command }: { command: LedgerOrder }) => Promise.resolve(void this.commands.push(command)),
    };
    const market = { quoteName: 'USDT', baseName: 'BTC', symbol: 'BTC/USDT', quote: 3, base: 1 };
    this.closing = new ClosePositions(
      { defineMove: () => moves } as unknown as Sagas,
      { transaction } as unknown as LeverDatabase,
      {
        claim: () => {
          this.claims += 1;
          return Promise.resolve(seat());
        },
        claimForRisk: () => Promise.resolve(seat()),
        look: () => Promise.resolve({ balance: this.balance, positions: this.positions }),
      } as unknown as Judge,
      {
        marks: (pairIds: Iterable<number>) => new Map([...this.prices].filter(([id]) => [...pairIds].includes(id))),
        byPair: () => market,
      } as unknown as LeverMarkets,
      {
        find: (id: string) => Promise.resolve(this.positions.find((one) => one.id === id) ?? null),
        openQuotes: (_: number, direction?: Direction) => {
          const isOpen = (one: Position): boolean =>
            one.status === STATUS.open && (direction === undefined || one.direction === direction);
          return Promise.resolve(this.positions.some(isOpen) ? [3] : []);
        },
        change: (_: unknown, __: Position, after: Position) => Promise.resolve(this.closed.push(after) > 0),
      } as unknown as PositionStore,
      { get: () => percent('110') } as unknown as Settings,
      { cancel: () => Promise.resolve(null) } as unknown as Timers,
      { changed: () => undefined } as unknown as PositionEvents,
      { now: () => 1_000 } as Clock,
    );
  }
  get reasons(): Record<string, number> {
    return Object.fromEntries(this.closed.map(({ id, closedBy }) => [id, closedBy]));
  }
  get fund(): bigint {
    return this.closed.reduce((sum, { closeShortfall }) => sum + closeShortfall, 0n);
  }
}

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
const at = (price: bigint): ReadonlyMap<number, bigint> => new Map([[1, price]]);

describe('a close executes at the price of the moment in which it is decided [LEVER-088] [HARD-403]', () => {
  test('a call that waited for its account closes at the price that came meanwhile', async () => {
    stand.positions = [tenth('1', { direction: 'long' })];
    stand.meanwhile = () => stand.prices.set(1, 5_950_000n);
    const { extra } = await stand.closing.close(1, '1', false, CONTEXT);
    expect(extra['order']).toMatchObject({ update_price: '59500.00', profits: '-50.00000000' });
    expect(stand.closed).toMatchObject([{ closePrice: 5_950_000n }]);
  });

  test('a call is refused where the price has become too old meanwhile', async () => {
    stand.positions = [tenth('1', {})];
    stand.meanwhile = () => stand.prices.clear();
    await expect(stand.closing.close(1, '1', true, CONTEXT)).rejects.toMatchObject({ key: 'market.stale' });
    await expect(stand.closing.batch(1, { which: 'all', withCover: true }, CONTEXT)).rejects.toMatchObject({
      key: 'market.stale',
    });
    expect(stand.closed).toEqual([]);
  });

  test('a stop that a tick has reached closes at the price of now', async () => {
    stand.positions = [tenth('1', { direction: 'long', stop: 5_980_000n })];
    stand.balance = 100n * USDT;
    stand.meanwhile = () => stand.prices.set(1, 5_970_000n);
    expect(await stand.closing.trigger(ACCOUNT, at(5_980_000n), at(5_980_000n))).toBe('done');
    expect(stand.closed).toMatchObject([{ closePrice: 5_970_000n, closedBy: CLOSED_BY.stop }]);
  });

  test('a liquidation that a tick demands closes at the price of now, and waits for a fresh one', async () => {
    stand.positions = [tenth('1', { direction: 'long' })];
    stand.prices.clear();
    await stand.closing.trigger(ACCOUNT, at(5_900_000n), at(5_900_000n));
    expect([stand.closed, stand.left]).toEqual([[], 1]);
    stand.prices.set(1, 5_890_000n);
    await stand.closing.trigger(ACCOUNT, at(5_900_000n), at(5_900_000n));
    expect(stand.closed).toMatchObject([{ closePrice: 5_890_000n, closedBy: CLOSED_BY.burst }]);
  });
});

describe('a loss that balance and margin do not cover [HARD-401]', () => {
  beforeEach(() => {
    stand.positions = [tenth('1', { direction: 'short' }), tenth('2', { direction: 'long' })];
    stand.prices.set(1, 6_100_000n);
  });

  test('is refused with what must close too, by close and by a batch of one direction', async () => {
    for (const call of [
      () => stand.closing.close(1, '1', false, CONTEXT),
      () => stand.closing.batch(1, { which: 'short', withCover: false }, CONTEXT),
    ]) {
      const refusal = await call().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Refused);
      expect(refusal).toMatchObject({ key: 'lever.closeCover', options: { extra: { ids: ['2'] } } });
    }
    expect([stand.closed, stand.commands]).toEqual([[], []]);
  });

  test('closes with its cover when that is asked for: one settlement, the fund pays nothing', async () => {
    const { extra } = await stand.closing.close(1, '1', true, CONTEXT);
    expect(extra).toMatchObject({ order: { id: '1', closed_type: 1 }, ids: ['2'] });
    expect([stand.reasons, stand.fund, stand.commands.length]).toEqual([{ 1: 1, 2: 6 }, 0n, 1]);
    expect(new Set(stand.closed.map(({ settlement }) => settlement)).size).toBe(1);
  });

  test('a batch names what it took along', async () => {
    const { extra } = await stand.closing.batch(1, { which: 'short', withCover: true }, CONTEXT);
    expect([extra, stand.reasons]).toEqual([{ ids: ['1', '2'] }, { 1: 1, 2: 6 }]);
  });

  test('a batch of all needs no cover, and the fund pays what all lack', async () => {
    stand.positions = [tenth('1', { direction: 'short' }), tenth('2', { direction: 'short' })];
    await stand.closing.batch(1, { which: 'all', withCover: false }, CONTEXT);
    expect([stand.reasons, stand.fund]).toEqual([{ 1: 1, 2: 1 }, 80n * USDT]);
  });

  test('a stop takes its cover along without asking', async () => {
    stand.positions = [tenth('1', { direction: 'short', stop: 6_100_000n }), tenth('2', { direction: 'long' })];
    await stand.closing.trigger(ACCOUNT, new Map(), at(6_100_000n));
    expect([stand.reasons, stand.fund]).toEqual([{ 1: CLOSED_BY.stop, 2: CLOSED_BY.cover }, 0n]);
  });

  test('a stop and a target of one tick close together, each for its own reason', async () => {
    stand.positions = [
      tenth('1', { direction: 'short', stop: 6_100_000n }),
      tenth('2', { direction: 'long', target: 6_100_000n }),
    ];
    await stand.closing.trigger(ACCOUNT, new Map(), at(6_100_000n));
    expect([stand.reasons, stand.commands.length]).toEqual([{ 1: CLOSED_BY.stop, 2: CLOSED_BY.target }, 1]);
  });

  test('where only a stale price could cover it a call is refused and a stop waits, a target does not', async () => {
    const stale = tenth('2', { direction: 'long', pairId: 9 });
    const loser = tenth('1', { direction: 'short', stop: 6_100_000n });
    stand.positions = [loser, stale];
    await expect(stand.closing.close(1, '1', true, CONTEXT)).rejects.toMatchObject({ key: 'market.stale' });
    await stand.closing.trigger(ACCOUNT, new Map(), at(6_100_000n));
    expect([stand.closed, stand.commands, stand.left]).toEqual([[], [], 2]);
    // This one has reached its target, and its gain does not cover the loser.
    stand.positions = [loser, stale, tenth('3', { lots: 1_000n, caution: USDT, target: 6_100_000n })];
    await stand.closing.trigger(ACCOUNT, new Map(), at(6_100_000n));
    expect(stand.reasons).toEqual({ 3: CLOSED_BY.target });
    expect(stand.positions.every(({ status }) => status === STATUS.open)).toBe(true);
  });

  test('the margin stays held until the close is booked', async () => {
    await stand.closing.close(1, '1', true, CONTEXT);
    expect(stand.closed.map(({ settlingHold }) => settlingHold)).toEqual([60n * USDT, 60n * USDT]);
  });
});

test('a batch with nothing to close claims no account [LEVER-092] [HARD-404]', async () => {
  stand.positions = [tenth('1', { status: STATUS.pending }), tenth('2', { direction: 'short' })];
  const { extra } = await stand.closing.batch(1, { which: 'long', withCover: false }, CONTEXT);
  expect([extra, stand.claims]).toEqual([{ ids: [] }, 0]);
});
