import { describe, expect, jest, test } from '@jest/globals';
import { AskUnavailable, type Lease } from '@bourse/messaging';
import { Alarms, Metrics } from '@bourse/platform';
import { eventually } from '@bourse/testing';
import { positionWith } from './positions.js';
import { AccountClaims } from '../src/application/account-claims.js';
import { AccountReader, UnreadableAccounts } from '../src/application/account-reader.js';
import type { Marks } from '../src/domain/account.js';
import type { LeverMarkets } from '../src/application/lever-markets.js';
import type { AccountName, AccountRow, AccountStore, Balances, PositionStore } from '../src/application/ports.js';
import { STATUS, type Position } from '../src/domain/position.js';
import { RiskOwner, type RiskParts } from '../src/application/risk-owner.js';

const QUOTE = 3;
const rowOf = (userId: number): AccountRow => ({ userId, quote: QUOTE, version: 1 });
/** Far below every liquidation price. */
const MARK = 1_000_000n;

/** People who each have a position that the mark liquidates; what has gone wrong with some of them. */
class People {
  readonly broken = new Map<number, Error>();
  readonly sizes: number[] = [];
  readonly reader: AccountReader;

  constructor(readonly count: number) {
    const claims = new AccountClaims(
      {} as AccountStore,
      { liveOf: (accounts: readonly AccountName[]) => this.liveOf(accounts) } as unknown as PositionStore,
      {
        of: (_: number, users: readonly number[]) =>
          Promise.resolve({ balances: Object.fromEntries(users.map((user) => [user, '1'])), house: '0' }),
      } as unknown as Balances,
      { currency: () => ({ scale: 8 }) } as unknown as LeverMarkets,
    );
    this.reader = new AccountReader(claims);
  }
  get rows(): AccountRow[] {
    return Array.from({ length: this.count }, (_, index) => rowOf(index + 1));
  }
  private async liveOf(accounts: readonly AccountName[]) {
    this.sizes.push(accounts.length);
    await Promise.resolve();
    for (const { userId } of accounts) {
      const error = this.broken.get(userId);
      if (error) throw error;
    }
    return accounts.map(({ userId }) => positionWith({ id: String(userId), userId }));
  }
}
const CANNOT = new SyntaxError('Cannot convert x to a BigInt');

describe('an account that cannot be read', () => {
  test('is isolated among a thousand, and all others are read [LEVER-053]', async () => {
    const people = new People(1_000);
    for (const user of [1, 500, 501, 1_000]) people.broken.set(user, CANNOT);
    const { accounts, unreadable } = await people.reader.read(people.rows);
    expect(accounts).toHaveLength(996);
    expect(accounts.every(({ balance, positions }) => balance === 100_000_000n && positions.length === 1)).toBe(true);
    expect(unreadable).toEqual([1, 500, 501, 1_000].map((user) => ({ row: rowOf(user), reason: CANNOT.message })));
    // By halves, not one by one.
    expect(people.sizes.length).toBeLessThan(100);
  });

  test('is not searched for if the ledger or the database is away: the error is thrown at once', async () => {
    const down = [
      new AskUnavailable('the ledger does not answer'),
      Object.assign(new Error('gone'), { code: '57P01' }),
    ];
    for (const error of down) {
      const people = new People(1_000);
      people.broken.set(7, error);
      await expect(people.reader.read(people.rows)).rejects.toBe(error);
      expect(people.sizes).toEqual([1_000]);
    }
  });

  test('delays no other account, raises an alarm, and is evaluated once it can be read [LEVER-054]', async () => {
    const people = new People(3);
    people.broken.set(2, CANNOT);
    const [alarms, metrics] = [new Alarms(), new Metrics()];
    const evaluated = new Set<number>();
    const waiting: (() => void)[] = [];
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await new Promise<void>((resolve) => waiting.push(resolve));
    };
    const notifyWaiting = (): void => {
      for (const resolve of waiting.splice(0)) resolve();
    };
    const unreadable = new UnreadableAccounts(alarms, metrics);
    const report = unreadable.report.bind(unreadable);
    unreadable.report = (...about) => {
      report(...about);
      notifyWaiting();
    };
    const marks = new Map([[1, MARK]]);
    const parts = {
      prices: { onTicks: () => () => undefined },
      markets: { all: () => [{ symbol: 'BTC/USDT', pairId: 1 }], marks: () => marks },
      accounts: { changed: () => Promise.resolve(people.rows) },
      reader: people.reader,
      unreadable,
      settings: { get: () => 110_000_000n },
      closes: {
        trigger: ({ userId }: AccountName) => {
          evaluated.add(userId);
          notifyWaiting();
          return Promise.resolve(true);
        },
      },
      positionEvents: { publishSoon: () => undefined },
    } as unknown as RiskParts;
    const ending = new AbortController();
    const running = new RiskOwner({ part: 0, of: 1 }, parts).run({ signal: ending.signal } as Lease);
    const figure = async (): Promise<string> =>
      /^bourse_lever_unreadable_accounts\S* (\d+)$/m.exec(await metrics.registry.metrics())?.[1] ?? '';

    await until(() => evaluated.size === 2);
    expect([...evaluated].toSorted()).toEqual([1, 3]);
    expect(alarms.list()).toMatchObject([
      { name: 'lever.unreadable:0', detail: `the risk of these accounts is not monitored: 2/3 (${CANNOT.message})` },
    ]);
    expect(await figure()).toBe('1');
    // As soon as it can be read it is evaluated, although nothing else of it has changed.
    people.broken.clear();
    await until(() => evaluated.has(2));
    expect(alarms.list()).toEqual([]);
    expect(await figure()).toBe('0');
    ending.abort();
    await running;
  });
});

/** An order whose trigger price the mark has reached. */
const triggered = (userId: number) =>
  positionWith({ id: `2${userId}`, userId, status: STATUS.pending, originPrice: 7_000_000n });

/** A risk owner of accounts with these positions, at marks that a test changes; stand-ins decide nothing. */
class Owner {
  mark = 6_000_000n;
  /** What was decided, in order: `close 1` or `open 1`. */
  readonly decisions: string[] = [];
  readonly collected: number[] = [];
  /** Marks by which trigger orders were judged, in order. */
  readonly judgedBy: (bigint | undefined)[] = [];
  /** How often the marks were read; a tick is evaluated in the same turn. */
  reads = 0;
  /** Decisions wait for it. */
  gate: Promise<void> = Promise.resolve();
  /** Collections of fees wait for it. */
  feeGate: Promise<void> = Promise.resolve();
  /** What the next decision throws after it has waited. */
  error: Error | null = null;
  private onTicks: (ticks: readonly { symbol: string }[]) => void = () => undefined;
  private readonly ending = new AbortController();
  private readonly running: Promise<void>;

  constructor(accounts: Map<number, { balance: bigint; positions: readonly Position[] }>) {
    const decide =
      (what: string) =>
      async ({ userId }: AccountName) => {
        this.decisions.push(`${what} ${userId}`);
        await this.gate;
        const { error } = this;
        this.error = null;
        if (error) throw error;
        return 'nothing';
      };
    let version = 1;
    const parts = {
      prices: {
        onTicks: (listener: typeof this.onTicks) => {
          this.onTicks = listener;
          return () => undefined;
        },
      },
      markets: { all: () => [{ symbol: 'BTC/USDT', pairId: 1 }], marks: () => this.readMarks() },
      accounts: {
        changed: () => Promise.resolve([...accounts.keys()].map((userId) => ({ ...rowOf(userId), version }))),
      },
      reader: {
        read: (rows: readonly AccountRow[]) =>
          Promise.resolve({ accounts: rows.map((row) => ({ ...row, ...accounts.get(row.userId)! })), unreadable: [] }),
      },
      unreadable: { report: () => undefined },
      settings: { get: () => 110_000_000n },
      triggerOrders: {
        trigger: (account: AccountName, tick: Marks) => {
          this.judgedBy.push(tick.get(1));
          return decide('open')(account);
        },
      },
      closes: { trigger: decide('close') },
      overnightFees: {
        collectOvernightFees: async ({ userId }: AccountName) => {
          this.collected.push(userId);
          await this.feeGate;
          const account = accounts.get(userId)!;
          const positions = account.positions.map((one) => ({ ...one, unpaidOvernightFee: 0n }));
          accounts.set(userId, { ...account, positions });
          version += 1;
          return true;
        },
      },
      positionEvents: { publishSoon: () => undefined },
    } as unknown as RiskParts;
    this.running = new RiskOwner({ part: 0, of: 1 }, parts).run({ signal: this.ending.signal } as Lease);
  }
  private readMarks(): ReadonlyMap<number, bigint> {
    this.reads += 1;
    return new Map([[1, this.mark]]);
  }
  tick(mark: bigint): void {
    this.mark = mark;
    this.onTicks([{ symbol: 'BTC/USDT' }]);
  }
  /** A tick that is evaluated before this returns. */
  async evaluate(mark: bigint): Promise<void> {
    const { reads } = this;
    this.tick(mark);
    await eventually(() => this.reads > reads);
  }
  async end(): Promise<void> {
    this.ending.abort();
    await this.running;
  }
}
const RICH = 10n ** 12n;

test.each([
  ['a trigger order that cannot open', 'open 1', RICH, [triggered(1)]],
  ['a close that waits for a price', 'close 1', 1n, []],
])('%s does not keep its owner from paying overnight fees [LEVER-107]', async (_, decision, balance, more) => {
  const owing = positionWith({ id: '1', unpaidOvernightFee: 5n });
  const owner = new Owner(new Map([[1, { balance, positions: [owing, ...more] }]]));
  if (balance === 1n) owner.mark = MARK;
  // The decision is tried again on later ticks; the fee is collected once.
  await eventually(() => owner.collected.length === 1 && owner.decisions.filter((one) => one === decision).length >= 2);
  await owner.end();
  expect(owner.collected).toEqual([1]);
});

test('closes are decided before trigger orders, also of the same account [LEVER-108]', async () => {
  const accounts = new Map(
    Array.from({ length: 20 }, (__, at) => [at + 1, { balance: RICH, positions: [triggered(at + 1)] as Position[] }]),
  );
  // One more, whose order waits behind the others when it must be liquidated.
  const safeUntilTheFall = 10_000_000_000n;
  accounts.set(21, { balance: safeUntilTheFall, positions: [positionWith({ id: '21', userId: 21 }), triggered(21)] });
  const owner = new Owner(accounts);
  let release: () => void = () => undefined;
  owner.gate = new Promise((resolve) => (release = resolve));
  await eventually(() => owner.decisions.length > 0);
  const underWay = owner.decisions.length;
  expect(owner.decisions).not.toContain('open 21');
  await owner.evaluate(MARK);
  release();
  await eventually(() => owner.decisions.length > underWay);
  expect(owner.decisions[underWay]).toBe('close 21');
  await owner.end();
});

describe('a close that one tick demands while its account is busy', () => {
  const SAFE = 6_000_000n;
  const safeUntilTheFall = 10_000_000_000n;
  const gateOf = () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    return { gate, open };
  };
  const ownerOf = (...positions: readonly Position[]): Owner =>
    new Owner(new Map([[1, { balance: safeUntilTheFall, positions }]]));
  /** The mark falls for one tick. */
  const fall = async (owner: Owner): Promise<void> => {
    await owner.evaluate(MARK);
    await owner.evaluate(SAFE);
  };

  test.each([
    ['decided', null],
    ['decided, which fails', new Error('gone')],
  ])('is decided after its order was %s [LEVER-109]', async (_, error) => {
    const { gate, open } = gateOf();
    const owner = ownerOf(positionWith({ id: '1' }), triggered(1));
    owner.gate = gate;
    owner.error = error;
    await eventually(() => owner.decisions.length === 1);
    await fall(owner);
    open();
    await eventually(() => owner.decisions.length > 1);
    expect(owner.decisions.slice(0, 2)).toEqual(['open 1', 'close 1']);
    await owner.end();
  });

  test('is decided after its overnight fees were collected [LEVER-109]', async () => {
    const { gate, open } = gateOf();
    const owner = ownerOf(positionWith({ id: '1', unpaidOvernightFee: 5n }));
    owner.feeGate = gate;
    await eventually(() => owner.collected.length === 1);
    await fall(owner);
    expect(owner.decisions).toEqual([]);
    open();
    await eventually(() => owner.decisions.length === 1);
    expect(owner.decisions).toEqual(['close 1']);
    await owner.end();
  });

  test('lets the fees pass when it follows a close for which nothing could be done [LEVER-107]', async () => {
    const { gate, open } = gateOf();
    const owner = ownerOf(positionWith({ id: '1' }), positionWith({ id: '2', unpaidOvernightFee: 5n }));
    owner.gate = gate;
    owner.mark = MARK;
    await eventually(() => owner.decisions.length === 1);
    await owner.evaluate(MARK - 1n);
    open();
    await eventually(() => owner.decisions.length >= 2);
    expect([owner.collected, owner.decisions.slice(0, 2)]).toEqual([[1], ['close 1', 'close 1']]);
    await owner.end();
  });

  test('is forgotten once it is too old, and its account is free [LEVER-109]', async () => {
    const { gate, open } = gateOf();
    const owner = ownerOf(positionWith({ id: '1' }), triggered(1));
    owner.gate = gate;
    await eventually(() => owner.decisions.length === 1);
    await fall(owner);
    const later = performance.now() + 3_000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => later);
    try {
      open();
      await eventually(() => owner.decisions.length > 1);
    } finally {
      clock.mockRestore();
    }
    expect(owner.decisions[1]).toBe('open 1');
    expect(owner.decisions).not.toContain('close 1');
    await owner.end();
  });
});

describe('a trigger order that one tick reaches while its account is busy', () => {
  const [FAR, NEAR] = [6_000_000n, 5_500_000n];
  const order = (id: string, originPrice: bigint) => positionWith({ id, status: STATUS.pending, originPrice });
  const gateOf = () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    return { gate, open };
  };
  const busyOwner = async () => {
    const { gate, open } = gateOf();
    const positions = [
      positionWith({ id: '1', unpaidOvernightFee: 5n }),
      order('2', NEAR),
      order('3', NEAR - 100_000n),
    ];
    const owner = new Owner(new Map([[1, { balance: RICH, positions }]]));
    owner.feeGate = gate;
    await eventually(() => owner.collected.length === 1);
    return { owner, open };
  };

  test('is judged by the price of that tick once the account is free [LEVER-130]', async () => {
    const { owner, open } = await busyOwner();
    for (const mark of [NEAR, NEAR - 1n, NEAR - 100_000n, FAR]) await owner.evaluate(mark);
    expect(owner.decisions).toEqual([]);
    open();
    await eventually(() => owner.decisions.length === 2);
    // Of several ticks the first that reached an order counts.
    expect([owner.decisions, owner.judgedBy]).toEqual([
      ['open 1', 'open 1'],
      [NEAR, NEAR - 100_000n],
    ]);
    await owner.evaluate(FAR);
    await owner.evaluate(FAR);
    expect(owner.decisions).toHaveLength(2);
    await owner.end();
  });

  test('is judged after the close that a later tick demands [LEVER-130]', async () => {
    const { gate, open } = gateOf();
    const safeUntilTheFall = 10_000_000_000n;
    const positions = [positionWith({ id: '1' }), order('2', 7_000_000n), order('3', NEAR)];
    const owner = new Owner(new Map([[1, { balance: safeUntilTheFall, positions }]]));
    owner.gate = gate;
    await eventually(() => owner.decisions.length === 1);
    await owner.evaluate(NEAR);
    await owner.evaluate(MARK);
    await owner.evaluate(8_000_000n);
    open();
    await eventually(() => owner.decisions.length === 3);
    expect(owner.decisions).toEqual(['open 1', 'close 1', 'open 1']);
    expect(owner.judgedBy).toEqual([FAR, NEAR]);
    await owner.end();
  });

  test('waits for another one when the account was busy for too long [LEVER-130]', async () => {
    const { owner, open } = await busyOwner();
    await owner.evaluate(NEAR);
    await owner.evaluate(FAR);
    const later = performance.now() + 3_000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => later);
    try {
      open();
      await owner.evaluate(FAR);
    } finally {
      clock.mockRestore();
    }
    expect(owner.decisions).toEqual([]);
    await owner.evaluate(NEAR);
    await eventually(() => owner.decisions.length > 0);
    await owner.end();
  });
});
