import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SEED_CURRENCIES, SEED_PAIRS } from '@bourse/contract';
import {
  closing,
  isLiquidated,
  profitsAt,
  type Direction,
  type LeverPosition,
  type LeverScales,
} from '@bourse/formulas';
import { divide, formatUnits, rescale, toUnits } from '@bourse/money';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';

jest.setTimeout(testTimeoutMs(96_000));

const HOST = fileURLToPath(new URL('crash-host.mjs', import.meta.url));
const [USDT, QUOTE_SCALE] = [3, SEED_CURRENCIES.find(({ id }) => id === 3)!.scale];
const MARKETS = SEED_PAIRS.filter(({ symbol, openLever }) => openLever && symbol.endsWith('/USDT')).filter(
  ({ symbol }) => ['BTC/USDT', 'ETH/USDT', 'XRP/USDT', 'LTC/USDT'].includes(symbol),
);
const [PEOPLE, POSITIONS, FIRST_PERSON] = [300, 1_000, 700_001];
const BURST = 110_000_000n;
/** Money of the house, enough for the day. */
const HOUSE = { 'h.lever': '90000000', 'h.lever_fund': '90000000' };
/** Steps of a day: of each its open, then its extremes, that of its direction last. */
const STEPS = 36;
/** Prices at the start of the day, for markets without a recording. */
const BEFORE_THE_CRASH: Readonly<Record<string, string>> = {
  'BTC/USDT': '42850',
  'ETH/USDT': '3375',
  'XRP/USDT': '1.57',
  'LTC/USDT': '292',
};
const BUNDLED = fileURLToPath(
  new URL('../../../../services/market-data/recordings/BTC-USD_1m_2013-11.csv.gz', import.meta.url),
);

/** Interval after which prices are published again if a due position is still open. */
const AGAIN_MS = 300;

/** Prices of all markets at one moment. */
type Prices = Readonly<Record<string, string>>;

const folder = [
  process.env['MARKET_DATA_DIR'],
  fileURLToPath(new URL('../../../../../shared/data', import.meta.url)),
].find((one) => one !== undefined && existsSync(join(one, 'candles')));

const units = (price: string): bigint => toUnits(price, 8);

/** Open, high, low and close of a stretch of time. */
type Stretch = readonly [open: string, high: string, low: string, close: string];

/** Rows of a recording between two moments in seconds: time, open, high, low, close. */
const minutesBetween = (file: string, begin: number, end: number): readonly (readonly string[])[] =>
  gunzipSync(readFileSync(file))
    .toString()
    .split('\n')
    .map((line) => line.split(','))
    .filter(([time]) => Number(time) >= begin && Number(time) < end);

/** The rows as `STEPS` stretches of the same length; each must have traded. */
function stretches(minutes: readonly (readonly string[])[], begin: number, end: number): readonly Stretch[] {
  const seconds = (end - begin) / STEPS;
  return Array.from({ length: STEPS }, (_, step) => {
    const from = begin + step * seconds;
    const rows = minutes.filter(([time]) => Number(time) >= from && Number(time) < from + seconds);
    const high = rows.map(([, , one]) => one!).reduce((a, b) => (units(a) >= units(b) ? a : b));
    const low = rows.map(([, , , one]) => one!).reduce((a, b) => (units(a) <= units(b) ? a : b));
    return [rows[0]![1]!, high, low, rows.at(-1)![4]!];
  });
}

/** 2021-05-19, the day on which BTC went from 42,850 to 30,000. */
function crash(symbol: string, recordings: string): readonly Stretch[] {
  const [begin, end] = [Date.UTC(2021, 4, 19) / 1_000, Date.UTC(2021, 4, 20) / 1_000];
  const file = join(recordings, 'candles', `${symbol.replace('/', '-')}_1m.csv.gz`);
  return stretches(minutesBetween(file, begin, end), begin, end);
}

/**
 * A fall out of the recordings that come with the project: BTC of 2013-11-26 to 11-30, which rose from 812 to 1,163,
 * read backwards from where the crash began. It took five days where the crash took one, and the crash fell in jumps:
 * in the middle each market loses three tenths more at once.
 */
function bundledFall(symbol: string): readonly Stretch[] {
  const [begin, end] = [Date.UTC(2013, 10, 26) / 1_000, Date.UTC(2013, 10, 30, 20) / 1_000];
  const rise = stretches(minutesBetween(BUNDLED, begin, end), begin, end);
  const last = toUnits(rise.at(-1)![3], 8);
  const before = toUnits(BEFORE_THE_CRASH[symbol]!, 4);
  return rise.toReversed().map(([open, high, low, close], step) => {
    const tenths = step < STEPS / 2 ? 10n : 7n;
    const at = (text: string): string =>
      formatUnits(divide(toUnits(text, 8) * before * tenths, last * 10n, 'half_up'), 4);
    return [at(close), at(high), at(low), at(open)];
  });
}

/** The day on which prices fell by a third, as moments of all markets. */
function recordedDay(): readonly Prices[] {
  const moments: Record<string, string>[] = Array.from({ length: 3 * STEPS }, () => ({}));
  for (const { symbol } of MARKETS) {
    const day = folder === undefined ? bundledFall(symbol) : crash(symbol, folder);
    for (const [step, [open, high, low, close]] of day.entries()) {
      const order = units(close) < units(open) ? [open, high, low] : [open, low, high];
      for (const [place, price] of order.entries()) moments[3 * step + place]![symbol] = price;
    }
  }
  return moments;
}

/** The same draws in every run: mulberry32. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

interface Opening {
  readonly id: number;
  readonly userId: number;
  readonly baseId: number;
  readonly direction: Direction;
  readonly multiple: number;
  readonly share: number;
  readonly target?: string;
  readonly stop?: string;
}
/** The positions of the day: two thirds long, every fifth with a target or a stop. */
function openings(first: Prices): readonly Opening[] {
  const draw = draws(20_210_519);
  return Array.from({ length: POSITIONS }, (_, id) => {
    const market = MARKETS[draw(MARKETS.length)]!;
    const direction = draw(3) < 2 ? 'long' : 'short';
    const multiple = [5, 10, 20][draw(3)]!;
    // About 2,000 USDT each, whatever a hand is worth.
    const ofOne = toUnits(first[market.symbol]!, 8) * toUnits(market.leverShareNum, 8);
    // No user has two equal positions: which is settled first would be undefined.
    const nth = Math.floor(id / PEOPLE);
    const share = 1 + nth + Math.min(900, Number((toUnits(String(500 + draw(3_000)), 8) * 10n ** 8n) / ofOne));
    const away = (percent: number): string => {
      const price = rescale(toUnits(first[market.symbol]!, 8), 8, market.priceScale, 'half_up');
      return formatUnits(price + (price * BigInt(direction === 'long' ? percent : -percent)) / 100n, market.priceScale);
    };
    const stops = [{}, {}, {}, {}, {}, {}, {}, {}, { target: away(4 + draw(8)) }, { stop: away(-1 - draw(2)) }][
      draw(10)
    ]!;
    return {
      id,
      userId: FIRST_PERSON + (id % PEOPLE),
      baseId: market.currencyId,
      direction,
      multiple,
      share,
      ...stops,
    };
  });
}

/** A process that is killed and started again, and calls into it. */
class Host {
  private child: ChildProcess | undefined;
  private serial = 0;
  private readonly waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();

  constructor(
    private readonly databaseUrl: string,
    private readonly dir: string,
  ) {}

  async start(): Promise<void> {
    const env = { ...process.env, DATABASE_URL: this.databaseUrl, HOST_DIR: this.dir, NODE_OPTIONS: '' };
    const child = fork(HOST, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.child = child;
    const ready = new Promise<unknown>((resolve, reject) => this.waiting.set(0, { resolve, reject }));
    child.on('message', ({ serial, answer, error }: { serial: number; answer?: unknown; error?: string }) => {
      const call = this.waiting.get(serial);
      this.waiting.delete(serial);
      if (error === undefined) call?.resolve(answer);
      else call?.reject(new Error(error));
    });
    child.on('exit', () => {
      for (const { reject } of this.waiting.values()) reject(new Error('the process has ended'));
      this.waiting.clear();
    });
    await ready;
  }
  call<T>(call: string, given: object = {}): Promise<T> {
    const serial = (this.serial += 1);
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(serial, { resolve: resolve as (answer: unknown) => void, reject });
      this.child?.send({ serial, call, ...given });
    });
  }
  /** SIGKILL, in the middle of its work. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
}

interface Row {
  readonly id: string;
  readonly client: string;
  readonly user_id: string;
  readonly pair_id: number;
  readonly is_long: boolean;
  readonly price: string;
  readonly lots: string;
  readonly caution: string;
  readonly origin_caution: string;
  readonly target: string;
  readonly stop: string;
  readonly status: number;
  readonly closed_by: number;
  readonly close_price: string;
  readonly close_profits: string;
  readonly close_shortfall: string;
}

/** A position as the oracle has it. Money in units of the quote. */
interface Held extends LeverPosition {
  readonly name: string;
  readonly symbol: string;
  readonly scales: LeverScales;
  readonly initialMargin: bigint;
  readonly target: bigint;
  readonly stop: bigint;
}
/** The outcome of a position: reason, price, profit and the fund's payment. */
type Fate = readonly [by: number, price: bigint, profits: bigint, shortfall: bigint];

/**
 * The expected outcome of the day, computed in the simplest way: at each moment every account is checked; liquidated
 * accounts close completely, else targets and stops with the positions that cover their loss (rules §3).
 */
class Oracle {
  readonly fates = new Map<string, Fate>();
  lever = 0n;
  fund = 0n;

  constructor(
    readonly balances: Map<number, bigint>,
    private readonly held: Map<number, readonly Held[]>,
  ) {}

  /** Closes the positions due at this moment; returns how many have ended so far. */
  at(prices: ReadonlyMap<string, bigint>): number {
    for (const [userId, positions] of this.held) {
      const balance = this.balances.get(userId)!;
      const profit = (one: Held): bigint => profitsAt(one.scales, one, prices.get(one.symbol)!);
      const sum = (figure: (one: Held) => bigint): bigint => positions.reduce((total, one) => total + figure(one), 0n);
      const [margin, initialMargin] = [sum((one) => one.margin), sum((one) => one.initialMargin)];
      const liquidated = isLiquidated({ balance, margin, initialMargin, profits: sum(profit) }, BURST);
      const reason = (one: Held): number => {
        const sign = one.direction === 'long' ? 1n : -1n;
        const mark = prices.get(one.symbol)!;
        if (liquidated) return 2;
        if (one.stop > 0n && sign * (mark - one.stop) <= 0n) return 4;
        return one.target > 0n && sign * (mark - one.target) >= 0n ? 3 : 0;
      };
      // Positions that close at this moment are settled together, the largest gain first.
      const gain = (one: Held): bigint => one.margin + profit(one);
      const group = new Map(positions.filter((one) => reason(one) !== 0).map((one) => [one, reason(one)]));
      this.cover(balance, group, positions, gain, profit);
      for (const [one, by] of [...group].toSorted(([a], [b]) => (gain(a) > gain(b) ? -1 : gain(a) < gain(b) ? 1 : 0)))
        this.close(userId, one, by, prices.get(one.symbol)!, profit(one));
      const left = positions.filter(({ name }) => !this.fates.has(name));
      if (left.length < positions.length) this.held.set(userId, left);
    }
    return this.fates.size;
  }

  /** Adds positions that must close too: the largest profit first, until the balance covers the loss, or all. */
  private cover(
    balance: bigint,
    group: Map<Held, number>,
    positions: readonly Held[],
    gain: (one: Held) => bigint,
    profit: (one: Held) => bigint,
  ): void {
    if (group.size === 0) return;
    const left = (): bigint => [...group.keys()].reduce((sum, one) => sum + gain(one), balance);
    const others = positions.filter((one) => !group.has(one));
    for (const one of others.toSorted((a, b) => (profit(a) > profit(b) ? -1 : profit(a) < profit(b) ? 1 : 0)))
      if (left() < 0n && gain(one) > 0n) group.set(one, 6);
    if (left() < 0n) for (const one of others) group.set(one, 6);
  }

  private close(userId: number, { name, margin }: Held, by: number, mark: bigint, profits: bigint): void {
    const { balance, shortfall } = closing(this.balances.get(userId)!, margin, profits);
    this.balances.set(userId, balance);
    this.fates.set(name, [by, mark, profits, shortfall]);
    // Uncovered losses are paid to the house too, from the fund.
    this.lever -= profits;
    this.fund -= shortfall;
  }
}

const COLUMNS = `id::text, client_id as client, user_id::text, pair_id, is_long, price, lots, caution,
  origin_caution, target, stop, status, closed_by, close_price, close_profits, close_shortfall`;
const ticksOf = (prices: Prices): ReadonlyMap<string, bigint> =>
  new Map(
    MARKETS.map(({ symbol, priceScale }) => [symbol, rescale(toUnits(prices[symbol]!, 8), 8, priceScale, 'half_up')]),
  );

/** The day on a database of its own. `trouble` happens after the prices of a moment were published. */
class Run {
  private readonly dir = mkdtempSync(join(tmpdir(), 'bourse-crash-'));
  private readonly host: Host;

  private constructor(private readonly world: TestDatabases) {
    this.host = new Host(world.url, this.dir);
  }
  static async create(): Promise<Run> {
    return new Run(await testDatabases());
  }
  async end(): Promise<void> {
    await this.host.kill();
    await this.world.end();
    rmSync(this.dir, { recursive: true, force: true });
  }

  private async balances(product: string): Promise<Map<number, bigint>> {
    const rows = await this.world.query<{ owner: string; units: string }>(
      `select owner::text, sum(available)::text as units from ledger.balance
        where product = $1 and currency = $2 group by 1`,
      [product, USDT],
    );
    return new Map(
      rows.map(({ owner, units }) => [Number(owner), toUnits(units, 18) / 10n ** BigInt(18 - QUOTE_SCALE)]),
    );
  }
  private async house(account: string): Promise<bigint> {
    return [...(await this.balances(account)).values()].reduce((sum, units) => sum + units, 0n);
  }
  private rows(): Promise<Row[]> {
    return this.world.query<Row & Record<string, unknown>>(
      `select ${COLUMNS} from lever.lever_position order by client_id`,
    );
  }

  /** Opens the positions at the first prices of the day, and returns the oracle of their outcomes. */
  async open(first: Prices): Promise<Oracle> {
    const draw = draws(5);
    const people = Array.from({ length: PEOPLE }, (_, n) => [FIRST_PERSON + n, String(900 + draw(1_500))]);
    await this.host.start();
    await this.host.call('begin', { people, house: HOUSE });
    await this.host.call('tick', { prices: first });
    // A price is fresh for five seconds: it is published again while positions open.
    const again = setInterval(() => void this.host.call('tick', { prices: first }).catch(() => undefined), 1_000);
    const positions = openings(first).map(({ id, ...one }) => ({
      ...one,
      id,
      clientId: `p${String(id).padStart(4, '0')}`,
    }));
    const refused = await this.host.call<number>('open', { positions });
    clearInterval(again);
    const held = new Map<number, Held[]>();
    const rows = await this.rows();
    // Some exceed their balance; most must be open for the day.
    expect(rows.length + refused).toBe(POSITIONS);
    expect(rows.length).toBeGreaterThan(0.8 * POSITIONS);
    for (const row of rows) {
      const { symbol, priceScale, numberScale } = MARKETS.find(({ id }) => id === row.pair_id)!;
      const [price, lots, margin, initialMargin, target, stop] = [
        BigInt(row.price),
        BigInt(row.lots),
        BigInt(row.caution),
        BigInt(row.origin_caution),
        BigInt(row.target),
        BigInt(row.stop),
      ];
      const userId = Number(row.user_id);
      const scales = { priceScale, numberScale, quoteScale: QUOTE_SCALE };
      const direction = row.is_long ? 'long' : 'short';
      const one = {
        name: row.client,
        symbol,
        scales,
        direction,
        price,
        lots,
        margin,
        initialMargin,
        target,
        stop,
      } as const;
      held.set(userId, [...(held.get(userId) ?? []), one]);
    }
    return new Oracle(await this.balances('lever'), held);
  }

  /**
   * Runs the day. Each moment's prices are published until the due positions are closed, independent of speed;
   * positions that are not due must not close, at this moment or later.
   */
  async pass(
    day: readonly Prices[],
    oracle: Oracle,
    trouble: (moment: number, host: Host) => Promise<void>,
  ): Promise<void> {
    let before = 0;
    for (const [moment, prices] of day.entries()) {
      const due = oracle.at(ticksOf(prices));
      await this.host.call('tick', { prices });
      let told = Date.now();
      await trouble(moment, this.host);
      if (due === before) continue;
      before = due;
      await eventually(async () => {
        const [{ ended } = { ended: -1 }] = await this.world.query<{ ended: number }>(
          'select count(*)::int as ended from lever.lever_position where status = 3',
        );
        if (ended < due && Date.now() - told > AGAIN_MS) {
          await this.host.call('tick', { prices });
          told = Date.now();
        }
        expect({ moment, ended }).toEqual({ moment, ended: due });
        return true;
      }, 60_000);
    }
  }

  /** Checks the rows after the day, and runs the auditors. */
  async outcome(oracle: Oracle, begun: { readonly lever: bigint; readonly fund: bigint }) {
    const rows = await this.rows();
    const fates = new Map(
      rows
        .filter(({ status }) => status === 3)
        .map((row) => [
          row.client,
          [row.closed_by, BigInt(row.close_price), BigInt(row.close_profits), BigInt(row.close_shortfall)] as Fate,
        ]),
    );
    expect(fates).toEqual(new Map([...oracle.fates].toSorted(([a], [b]) => (a < b ? -1 : 1))));
    const [balances, lever, fund] = [
      await this.balances('lever'),
      await this.house('h.lever'),
      await this.house('h.lever_fund'),
    ];
    expect(balances).toEqual(oracle.balances);
    expect({ lever: lever - begun.lever, fund: fund - begun.fund }).toEqual({ lever: oracle.lever, fund: oracle.fund });
    expect(await this.host.call('audit')).toEqual([]);
    // Positions that were not due are still open, and none is half closed.
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set([1, 3]));
    return [...fates.values()];
  }
  begun = async () => ({ lever: await this.house('h.lever'), fund: await this.house('h.lever_fund') });
}

describe('the crash of 2021-05-19 over 1,000 positions [LEVER-041]', () => {
  let day: readonly Prices[];
  let run: Run;
  beforeAll(async () => {
    day = recordedDay();
    run = await Run.create();
  });
  afterAll(async () => run.end());

  /** The process is killed twice and business time jumps three hours. */
  function troubles(): Parameters<Run['pass']>[2] {
    const draw = draws(7);
    const kills = new Set([35, 65].map((from) => from + draw(20)));
    const jumps = new Set([20, 50, 80].map((from) => from + draw(20)));
    return async (moment, host) => {
      if (jumps.has(moment)) await host.call('jump', { ms: 3_600_000 });
      if (!kills.has(moment)) return;
      await new Promise((resolve) => setTimeout(resolve, draw(40)));
      await host.kill();
      await host.start();
      await host.call('tick', { prices: day[moment]! });
    };
  }

  test('each liquidation, the fund and the house come out to the unit, whatever is killed meanwhile', async () => {
    const oracle = await run.open(day[0]!);
    const begun = await run.begun();
    await run.pass(day, oracle, troubles());
    const fates = await run.outcome(oracle, begun);
    const byReason = (by: number): number => fates.filter(([why]) => why === by).length;
    // The day covers all cases: many liquidations, some beyond the margin; stops and targets work.
    expect(byReason(2)).toBeGreaterThan(200);
    expect(fates.filter(([, , , shortfall]) => shortfall > 0n).length).toBeGreaterThan(5);
    expect(Math.min(byReason(3), byReason(4))).toBeGreaterThan(5);
  });
});
