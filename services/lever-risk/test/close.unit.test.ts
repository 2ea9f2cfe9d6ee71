import { beforeEach, describe, expect, test } from '@jest/globals';
import type { LeverPosition } from '@bourse/contract';
import { percent, type Direction } from '@bourse/formulas';
import type { LedgerOrder, Sagas } from '@bourse/ledger-client';
import type { Timers } from '@bourse/persistence';
import { Notice, Refused, type CallContext, type Clock } from '@bourse/platform';
import type { Settings } from '@bourse/settings';
import { ClosePositions } from '../src/application/close.js';
import type { AccountClaims, ClaimedAccount, TriggerOutcome } from '../src/application/account-claims.js';
import type { LeverMarkets } from '../src/application/lever-markets.js';
import type { LeverDatabase, PositionStore } from '../src/application/ports.js';
import type { PositionEvents } from '../src/application/position-events.js';
import type { Marks } from '../src/domain/account.js';
import { CLOSED_BY, STATUS, type Position } from '../src/domain/position.js';
import type { RiskAccount } from '../src/domain/risk-book.js';
import { plainCommands } from './plain-commands.js';
import { positionWith } from './positions.js';

const ACCOUNT = { userId: 1, quote: 3 };
const CONTEXT = { commandId: null, hasKey: false } as CallContext;
const USDT = 10n ** 8n;
/** 0.1 of the base at 60,000, with a margin of 60 USDT: at 61,000 it has gained or lost 100. */
const tenth = (id: string, more: Partial<Position>): Position =>
  positionWith({ id, lots: 100_000n, margin: 60n * USDT, initialMargin: 60n * USDT, ...more });

const NOW = 1_000;

/** One account over stores of the test. `prices` are those that are fresh. */
class Fixture {
  prices = new Map<number, bigint>([[1, 6_000_000n]]);
  balance = 0n;
  positions: Position[] = [];
  /** What comes while the account is waited for. */
  meanwhile = (): void => undefined;
  readonly closed: Position[] = [];
  /** What stays open of positions of which a part has closed. */
  readonly rests: Position[] = [];
  readonly timers: number[] = [];
  due: number | null = null;
  readonly commands: LedgerOrder[] = [];
  left = 0;
  claims = 0;
  readonly closing: ClosePositions;

  constructor() {
    const claimed = (): ClaimedAccount => {
      this.meanwhile();
      return {
        account: { ...ACCOUNT, version: 0 },
        balance: this.balance,
        house: 0n,
        positions: this.positions,
        commit: () => Promise.resolve(),
        release: () => Promise.resolve(void (this.left += 1)),
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
      move: ({ command, answer }: { command: LedgerOrder; answer: Notice }) => {
        this.commands.push(command);
        return answer;
      },
      begin: (_: unknown, { command }: { command: LedgerOrder }) => Promise.resolve(void this.commands.push(command)),
    };
    const market = { quoteName: 'USDT', baseName: 'BTC', symbol: 'BTC/USDT', quote: 3, base: 1 };
    this.closing = new ClosePositions(
      { defineMove: () => moves } as unknown as Sagas,
      plainCommands(transaction),
      { transaction } as unknown as LeverDatabase,
      {
        claim: () => {
          this.claims += 1;
          return Promise.resolve(claimed());
        },
        claimAll: (accounts: readonly unknown[]) => {
          this.claims += accounts.length;
          return Promise.resolve(accounts.map(() => claimed()));
        },
        claimForRisk: () => Promise.resolve(claimed()),
        read: () => Promise.resolve({ balance: this.balance, positions: this.positions }),
      } as unknown as AccountClaims,
      {
        marks: (pairIds: Iterable<number>) => new Map([...this.prices].filter(([id]) => [...pairIds].includes(id))),
        byPair: () => market,
        pairs: (_: number | undefined, base: number) => [base],
      } as unknown as LeverMarkets,
      {
        find: (id: string) => Promise.resolve(this.positions.find((one) => one.id === id) ?? null),
        openQuotes: (_: number, direction?: Direction) => {
          const isOpen = (one: Position): boolean =>
            one.status === STATUS.open && (direction === undefined || one.direction === direction);
          return Promise.resolve(this.positions.some(isOpen) ? [3] : []);
        },
        change: (_: unknown, __: Position, after: Position) =>
          Promise.resolve((after.status === STATUS.open ? this.rests : this.closed).push(after) > 0),
        insert: (_: unknown, part: Position) => Promise.resolve(void this.closed.push(part)),
      } as unknown as PositionStore,
      { get: () => percent('110') } as unknown as Settings,
      {
        cancel: () => Promise.resolve(this.due),
        set: (_: unknown, __: string, ___: string, dueAt: number) => Promise.resolve(void this.timers.push(dueAt)),
      } as unknown as Timers,
      { publishAfterCommit: () => undefined } as unknown as PositionEvents,
      { now: () => NOW } as Clock,
    );
  }
  /** Decides what a tick has demanded of the account, by default as it is. */
  trigger(liquidating: Marks, trading: Marks, known: Partial<RiskAccount> = {}): Promise<TriggerOutcome> {
    const { balance, positions } = this;
    return this.closing.trigger({ ...ACCOUNT, version: 0, balance, positions, ...known }, liquidating, trading);
  }
  get reasons(): Record<string, number> {
    return Object.fromEntries(this.closed.map(({ id, closedBy }) => [id, closedBy]));
  }
  get fund(): bigint {
    return this.closed.reduce((sum, { closeShortfall }) => sum + closeShortfall, 0n);
  }
}

let fixture: Fixture;
beforeEach(() => {
  fixture = new Fixture();
});
const at = (price: bigint): ReadonlyMap<number, bigint> => new Map([[1, price]]);

describe('a close executes at the price of its decision [LEVER-088] [HARD-403]', () => {
  test('a call that waited for its account closes at the new price', async () => {
    fixture.positions = [tenth('1', { direction: 'long' })];
    fixture.meanwhile = () => fixture.prices.set(1, 5_950_000n);
    const { extra } = await fixture.closing.close(1, { id: '1', withCover: false }, CONTEXT);
    expect(extra['order']).toMatchObject({ update_price: '59500.00', profits: '-50.00000000' });
    expect(fixture.closed).toMatchObject([{ closePrice: 5_950_000n }]);
  });

  test('a call is refused if the price became stale while it waited', async () => {
    fixture.positions = [tenth('1', {})];
    fixture.meanwhile = () => fixture.prices.clear();
    await expect(fixture.closing.close(1, { id: '1', withCover: true }, CONTEXT)).rejects.toMatchObject({
      key: 'market.stale',
    });
    await expect(fixture.closing.batch(1, { which: 'all', withCover: true }, CONTEXT)).rejects.toMatchObject({
      key: 'market.stale',
    });
    expect(fixture.closed).toEqual([]);
  });

  test('a stop that a tick has reached closes at the current price', async () => {
    fixture.positions = [tenth('1', { direction: 'long', stop: 5_980_000n })];
    fixture.balance = 100n * USDT;
    fixture.meanwhile = () => fixture.prices.set(1, 5_970_000n);
    expect(await fixture.trigger(at(5_980_000n), at(5_980_000n))).toBe('done');
    expect(fixture.closed).toMatchObject([{ closePrice: 5_970_000n, closedBy: CLOSED_BY.stop }]);
  });

  test('a liquidation closes at the current price and waits for a fresh one', async () => {
    fixture.positions = [tenth('1', { direction: 'long' })];
    fixture.prices.clear();
    await fixture.trigger(at(5_900_000n), at(5_900_000n));
    expect([fixture.closed, fixture.left]).toEqual([[], 1]);
    fixture.prices.set(1, 5_890_000n);
    await fixture.trigger(at(5_900_000n), at(5_900_000n));
    expect(fixture.closed).toMatchObject([{ closePrice: 5_890_000n, closedBy: CLOSED_BY.liquidation }]);
  });
});

describe('the price of a tick that waited judges nothing that came later [LEVER-110]', () => {
  /** The market has fallen for one tick. */
  const fall = at(5_970_000n);
  beforeEach(() => {
    fixture.balance = 100n * USDT;
  });

  test.each([
    ['a stop', { stop: 5_980_000n }],
    ['a target', { direction: 'short', target: 5_980_000n }],
  ] as const)('%s that was set after the tick waits for the next one', async (_, later) => {
    const known = [tenth('1', { ...later, stop: 0n, target: 0n })];
    fixture.positions = [tenth('1', later)];
    expect(await fixture.trigger(new Map(), fall, { positions: known })).toBe('nothing');
    expect([fixture.closed, fixture.left]).toEqual([[], 1]);
  });

  test('a stop that was moved after the tick keeps its target, which the tick has reached', async () => {
    const known = tenth('1', { direction: 'short', target: 5_980_000n, stop: 6_100_000n });
    fixture.positions = [{ ...known, stop: 6_050_000n, revision: 1 }];
    expect(await fixture.trigger(new Map(), fall, { positions: [known] })).toBe('done');
    expect(fixture.closed).toMatchObject([{ closedBy: CLOSED_BY.target, stop: 6_050_000n }]);
  });

  test('a position that was opened after the tick is not liquidated by it, alone or with others', async () => {
    const [old, later] = [tenth('1', { direction: 'long' }), tenth('2', { direction: 'long' })];
    const deep = at(5_920_000n);
    fixture.positions = [old, later];
    // The old position alone is safe at that price: its loss is 80, and 100 + 60 back it.
    expect(await fixture.trigger(deep, new Map(), { positions: [old], balance: 160n * USDT })).toBe('nothing');
    expect(fixture.closed).toEqual([]);
    // Both would be liquidated, the old one alone is.
    fixture.balance = 20n * USDT;
    expect(await fixture.trigger(deep, new Map(), { positions: [old], balance: 80n * USDT })).toBe('done');
    expect(fixture.reasons).toEqual({ 1: CLOSED_BY.liquidation });
  });

  test('money that was moved out after the tick does not liquidate by its price', async () => {
    fixture.positions = [tenth('1', { direction: 'long' })];
    expect(await fixture.trigger(at(5_920_000n), new Map(), { balance: 1_000n * USDT })).toBe('nothing');
    fixture.balance = 10n * USDT;
    expect(await fixture.trigger(at(5_920_000n), new Map(), { balance: 1_000n * USDT })).toBe('nothing');
    expect(fixture.closed).toEqual([]);
  });

  test('margin that was added after the tick counts at its price', async () => {
    fixture.positions = [tenth('1', { direction: 'long' })];
    expect(await fixture.trigger(at(5_920_000n), new Map(), { balance: 10n * USDT })).toBe('nothing');
    expect(fixture.closed).toEqual([]);
  });
});

describe('a loss that balance and margin do not cover [HARD-401]', () => {
  beforeEach(() => {
    fixture.positions = [tenth('1', { direction: 'short' }), tenth('2', { direction: 'long' })];
    fixture.prices.set(1, 6_100_000n);
  });

  test('close and batch_close of one direction refuse it with the ids of the cover', async () => {
    for (const call of [
      () => fixture.closing.close(1, { id: '1', withCover: false }, CONTEXT),
      () => fixture.closing.batch(1, { which: 'short', withCover: false }, CONTEXT),
    ]) {
      const refusal = await call().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Refused);
      expect(refusal).toMatchObject({ key: 'lever.closeCover', options: { extra: { ids: ['2'] } } });
    }
    expect([fixture.closed, fixture.commands]).toEqual([[], []]);
  });

  test('close with cover settles both together, and the fund pays nothing', async () => {
    const { extra } = await fixture.closing.close(1, { id: '1', withCover: true }, CONTEXT);
    expect(extra).toMatchObject({ order: { id: '1', closed_type: 1 }, ids: ['2'] });
    expect([fixture.reasons, fixture.fund, fixture.commands.length]).toEqual([{ 1: 1, 2: 6 }, 0n, 1]);
    expect(new Set(fixture.closed.map(({ settlement }) => settlement)).size).toBe(1);
  });

  test('batch_close with cover answers the ids of the cover', async () => {
    const { extra } = await fixture.closing.batch(1, { which: 'short', withCover: true }, CONTEXT);
    expect([extra, fixture.reasons]).toEqual([{ ids: ['1', '2'] }, { 1: 1, 2: 6 }]);
  });

  test('batch_close of all needs no cover, and the fund pays the deficit', async () => {
    fixture.positions = [tenth('1', { direction: 'short' }), tenth('2', { direction: 'short' })];
    await fixture.closing.batch(1, { which: 'all', withCover: false }, CONTEXT);
    expect([fixture.reasons, fixture.fund]).toEqual([{ 1: 1, 2: 1 }, 80n * USDT]);
  });

  test('a stop closes its cover without a confirmation', async () => {
    fixture.positions = [tenth('1', { direction: 'short', stop: 6_100_000n }), tenth('2', { direction: 'long' })];
    await fixture.trigger(new Map(), at(6_100_000n));
    expect([fixture.reasons, fixture.fund]).toEqual([{ 1: CLOSED_BY.stop, 2: CLOSED_BY.cover }, 0n]);
  });

  test('a stop and a target of one tick close together, each with its own reason', async () => {
    fixture.positions = [
      tenth('1', { direction: 'short', stop: 6_100_000n }),
      tenth('2', { direction: 'long', target: 6_100_000n }),
    ];
    await fixture.trigger(new Map(), at(6_100_000n));
    expect([fixture.reasons, fixture.commands.length]).toEqual([{ 1: CLOSED_BY.stop, 2: CLOSED_BY.target }, 1]);
  });

  test('if only a stale pair could cover it, a call is refused, a stop waits and a target closes', async () => {
    const stale = tenth('2', { direction: 'long', pairId: 9 });
    const loser = tenth('1', { direction: 'short', stop: 6_100_000n });
    fixture.positions = [loser, stale];
    await expect(fixture.closing.close(1, { id: '1', withCover: true }, CONTEXT)).rejects.toMatchObject({
      key: 'market.stale',
    });
    await fixture.trigger(new Map(), at(6_100_000n));
    expect([fixture.closed, fixture.commands, fixture.left]).toEqual([[], [], 2]);
    // This one has reached its target, and its gain does not cover the loser.
    fixture.positions = [loser, stale, tenth('3', { lots: 1_000n, margin: USDT, target: 6_100_000n })];
    await fixture.trigger(new Map(), at(6_100_000n));
    expect(fixture.reasons).toEqual({ 3: CLOSED_BY.target });
    expect(fixture.positions.every(({ status }) => status === STATUS.open)).toBe(true);
  });

  test('the margin stays held until the close is booked', async () => {
    await fixture.closing.close(1, { id: '1', withCover: true }, CONTEXT);
    expect(fixture.closed.map(({ settlingHold }) => settlingHold)).toEqual([60n * USDT, 60n * USDT]);
  });
});

describe('a part close [LEVER-100]', () => {
  const CONTRACTS = { contracts: 10, direction: 'long' } as const;
  const close = async (share: number, withCover = false) =>
    (await fixture.closing.close(1, { id: '1', share, withCover }, CONTEXT)).extra as {
      order: LeverPosition;
      part?: LeverPosition;
      ids?: string[];
    };
  const legs = (): string[] =>
    fixture.commands.flatMap(({ journals }) =>
      journals.flatMap((one) =>
        one.legs.map(({ from, to, amount }) => `${from} ${to} ${typeof amount === 'string' ? amount : ''}`),
      ),
    );
  beforeEach(() => {
    fixture.positions = [tenth('1', CONTRACTS)];
    fixture.prices.set(1, 6_100_000n);
  });

  test('closes the part out of the hold of the whole and leaves the rest open', async () => {
    const { order, part } = await close(3);
    expect(order).toMatchObject({ id: '1', status: 1, share: 7, number: '0.070000', caution_money: '42.00000000' });
    expect(part).toMatchObject({ part_of: '1', status: 3, share: 3, number: '0.030000', profits: '30.00000000' });
    expect(part?.id).not.toBe('1');
    expect(legs()).toEqual(['1.lever*#lever:1 1.lever 18.00000000', 'h.lever 1.lever 30.00000000']);
    expect(fixture.closed).toMatchObject([{ status: STATUS.closing, settlingHold: 18n * USDT, clientId: '' }]);
    expect(fixture.rests).toMatchObject([{ status: STATUS.open, contracts: 7, changedAt: NOW }]);
    expect(fixture.timers).toEqual([86_400_000]);
  });

  test('of all contracts is a whole close', async () => {
    expect(await close(10)).toEqual({ order: expect.objectContaining({ id: '1', status: 3, share: 10 }) });
    expect(fixture.rests).toEqual([]);
  });

  test('of more contracts than there are is refused', async () => {
    await expect(close(11)).rejects.toMatchObject({
      key: 'lever.shareMax',
      params: { max: 10 },
      options: { field: 'share' },
    });
    expect([fixture.closed, fixture.commands, fixture.claims]).toEqual([[], [], 0]);
  });

  test('pays a midnight that has passed for the whole, once, under the id of the whole', async () => {
    fixture.positions = [tenth('1', { ...CONTRACTS, overnight: 1_000n })];
    fixture.due = 0;
    const { order, part } = await close(5);
    expect(fixture.commands[0]?.journals.map(({ id }) => id)[0]).toBe('lever:1:night:1970-01-01');
    expect(legs()[0]).toBe('1.lever*#lever:1 h.fees 0.06000000');
    expect([order.caution_money, order.overnight_money]).toEqual(['29.97000000', '0.06000000']);
    expect([part?.caution_money, part?.overnight_money]).toEqual(['29.97000000', '0.00000000']);
    expect(fixture.closed[0]?.settlingHold).toBe(3_003_000_000n);
  });

  test('whose loss needs other positions is refused without cover and closes with it', async () => {
    const winner = tenth('2', { direction: 'long' });
    fixture.positions = [tenth('1', { contracts: 10, direction: 'short' }), winner];
    await expect(close(5)).rejects.toMatchObject({ key: 'lever.closeCover', options: { extra: { ids: ['2'] } } });
    expect(await close(5, true)).toMatchObject({ order: { id: '1', status: 1, share: 5 }, ids: ['2'] });
    expect([Object.values(fixture.reasons).toSorted(), fixture.fund]).toEqual([[1, 6], 0n]);
  });

  test('whose loss all other positions do not cover closes the position whole', async () => {
    fixture.positions = [tenth('1', { contracts: 10, direction: 'short' })];
    await expect(close(5)).rejects.toMatchObject({ key: 'lever.closeCover', options: { extra: { ids: ['1'] } } });
    expect(await close(5, true)).toEqual({ order: expect.objectContaining({ id: '1', status: 3, share: 10 }) });
    expect([fixture.reasons, fixture.rests, fixture.fund]).toEqual([{ 1: CLOSED_BY.user }, [], 40n * USDT]);
  });
});

test('batch_close of one pair leaves the positions of other pairs open [LEVER-106]', async () => {
  fixture.positions = [tenth('1', {}), tenth('2', { pairId: 2 }), tenth('3', { pairId: 2, direction: 'short' })];
  fixture.prices.set(2, 6_000_000n);
  const batch = async (which: 'all' | Direction): Promise<unknown> =>
    (await fixture.closing.batch(1, { which, base: 2, withCover: false }, CONTEXT)).extra;
  expect(await batch('long')).toEqual({ ids: ['2'] });
  fixture.positions = [tenth('1', {}), tenth('2', { pairId: 2 }), tenth('3', { pairId: 2, direction: 'short' })];
  expect(await batch('all')).toEqual({ ids: ['2', '3'] });
});

test('batch_close without an open position claims no account [LEVER-092] [HARD-404]', async () => {
  fixture.positions = [tenth('1', { status: STATUS.pending }), tenth('2', { direction: 'short' })];
  const { extra } = await fixture.closing.batch(1, { which: 'long', withCover: false }, CONTEXT);
  expect([extra, fixture.claims]).toEqual([{ ids: [] }, 0]);
});
