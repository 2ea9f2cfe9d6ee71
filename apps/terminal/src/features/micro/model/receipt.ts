import type { MicroOrder, MicroReceipt, Tick, TickChain, PublishedTickKey } from '@bourse/contract';
import { medianPrice } from '@bourse/formulas';
import { compareDecimals, toUnits } from '@bourse/money';
import { timeOf } from '@bourse/ui';

/** The input of `npx bourse-verify`. */
export interface ReceiptFile {
  readonly receipt: MicroReceipt;
  readonly chain: TickChain;
}

/** The longest stretch of ticks that one call answers (api §2.6). */
const STRETCH_MS = 10 * 60_000;
/** Without an opening tick within this a contract is void (rules §4). */
const OPENING_MS = 5_000;
const PRICE_SCALE = 18;

/** The stretches of ticks that a receipt is checked with: from the acceptance to the expiry, both included. */
export function stretches(order: Pick<MicroOrder, 'create_time' | 'expire_time'>): { from: number; to: number }[] {
  const from = timeOf(order.create_time) ?? 0;
  const end = timeOf(order.expire_time) ?? from + OPENING_MS + 1_000;
  const parts: { from: number; to: number }[] = [];
  for (let at = from; at <= end; at += STRETCH_MS) parts.push({ from: at, to: Math.min(end, at + STRETCH_MS - 1_000) });
  return parts;
}

/** Whether a contract has expired in a hole of the recording: the chain does not show what followed its last tick. */
export function lacksEnd(order: Pick<MicroOrder, 'status' | 'open_price' | 'expire_time'>, chain: TickChain): boolean {
  const end = timeOf(order.expire_time);
  if (order.status !== 3 || order.open_price === '' || end === undefined) return false;
  return (chain.ticks.at(-1)?.time ?? 0) < end;
}

/** How far behind an expiry the next tick is looked for: six hours. */
const LATER_STRETCHES = 36;
/** The stretches behind an expiry, in which the recording may have gone on. */
export function laterStretches(order: Pick<MicroOrder, 'expire_time'>): { from: number; to: number }[] {
  const start = (timeOf(order.expire_time) ?? 0) + 1_000;
  return Array.from({ length: LATER_STRETCHES }, (_, index) => {
    const from = start + index * STRETCH_MS;
    return { from, to: from + STRETCH_MS - 1_000 };
  });
}

/** One chain of several answers: the last one signs for all before it, because each tick holds the hash of the last. */
export function joined(chains: readonly TickChain[]): TickChain {
  const last = chains.findLast(({ ticks }) => ticks.length > 0) ?? chains.at(-1);
  return {
    ticks: chains.flatMap(({ ticks }) => ticks),
    public_key: last?.public_key ?? '',
    signature: last?.signature ?? '',
  };
}

/** The tick whose price decided: the median of those that judge; undefined with fewer than three. */
export function medianTick(ticks: readonly Tick[]): Tick | undefined {
  const median = medianPrice(ticks.map(({ id, price }) => ({ id: BigInt(id), price: toUnits(price, PRICE_SCALE) })));
  return median === null ? undefined : ticks.findLast(({ price }) => toUnits(price, PRICE_SCALE) === median);
}

/** A dot of the picture, in its own units. */
interface Dot {
  readonly tick: Tick;
  readonly x: number;
  readonly y: number;
}
export interface Picture {
  readonly dots: readonly Dot[];
  /** Dots in runs of successive ticks: between two runs the receipt has no price. */
  readonly runs: readonly (readonly Dot[])[];
  /** The position of the opening price. */
  readonly openY: number | undefined;
  readonly low: string;
  readonly high: string;
}
const MARGIN = 12;
/** Ticks come each second; a longer distance means that the receipt lacks some. */
const GAP_MS = 1_500;

/** Ticks by time and price in a frame; pixels, not money: the figures are beside it. */
export function pictureOf(
  ticks: readonly Tick[],
  openPrice: string,
  { width, height }: { width: number; height: number },
): Picture | undefined {
  const prices = [...ticks.map(({ price }) => price), ...(openPrice === '' ? [] : [openPrice])];
  const first = ticks[0];
  const last = ticks.at(-1);
  const head = prices[0];
  if (!first || !last || head === undefined) return undefined;
  const low = prices.reduce((least, price) => (compareDecimals(price, least) < 0 ? price : least), head);
  const high = prices.reduce((most, price) => (compareDecimals(price, most) > 0 ? price : most), head);
  const span = Number(high) - Number(low);
  const y = (price: string): number =>
    span === 0 ? height / 2 : MARGIN + ((Number(high) - Number(price)) / span) * (height - 2 * MARGIN);
  const time = Math.max(1, last.time - first.time);
  const dots = ticks.map((tick) => ({
    tick,
    x: MARGIN + ((tick.time - first.time) / time) * (width - 2 * MARGIN),
    y: y(tick.price),
  }));
  const runs: Dot[][] = [];
  for (const dot of dots) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && dot.tick.time - before.tick.time <= GAP_MS) run.push(dot);
    else runs.push([dot]);
  }
  return {
    dots,
    runs,
    openY: openPrice === '' ? undefined : y(openPrice),
    low,
    high,
  };
}

/** A saved receipt from its text, unchanged: the verifier says what it lacks. Undefined where it is no JSON. */
export function readReceipt(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** When the last tick of a receipt was signed; undefined where that cannot be read. */
export function signedAt(file: unknown): number | undefined {
  const ticks = (file as Partial<ReceiptFile> | null)?.chain?.ticks;
  const time: unknown = Array.isArray(ticks) ? (ticks.at(-1) as Partial<Tick> | undefined)?.time : undefined;
  return typeof time === 'number' ? time : undefined;
}

/** The key that was published for a time; null where none was. */
export const keyAt = (keys: readonly PublishedTickKey[], time: number): string | null =>
  keys.find(({ from, until }) => from <= time && (until === null || time < until))?.public_key ?? null;
