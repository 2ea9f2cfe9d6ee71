import type { LeverPosition, LeverTradePush } from '@bourse/contract';
import { COIN_SCALE, profitsAt, stopFault, type Direction, type StopFault } from '@bourse/formulas';
import { decimals, divide, formatTrimmed, formatUnits, pow10, toUnits } from '@bourse/money';
import { scalesOf, ticksOf } from './offer.js';

/** Positions as one list shows them, with the figures of the account beside them. */
export interface Board {
  readonly rows: readonly LeverPosition[];
  readonly hazard_rate: string;
  /** Of the quote. */
  readonly profits: string;
  /** Of all quotes, in USDT. */
  readonly profits_total: string;
  readonly balance: string;
}

const directionOf = ({ type }: Pick<LeverPosition, 'type'>): Direction => (type === 1 ? 'long' : 'short');

/** The positions that a list has: of one quote, of one pair, or all (0). */
export interface BoardScope {
  readonly legalId: number;
  readonly currencyId: number;
}
/** Whether a list has a place for a position. */
export const isInScope = ({ legalId, currencyId }: BoardScope, row: LeverPosition): boolean =>
  (legalId === 0 || row.legal_id === legalId) && (currencyId === 0 || row.currency_id === currencyId);

/** A list after a `lever_trade`: its entries replace those of the same id, new ones come first. */
export function withTrade(board: Board, scope: BoardScope, which: 'open' | 'pending', push: LeverTradePush): Board {
  if (scope.legalId !== 0 && scope.legalId !== push.legal_id) return board;
  const status = which === 'open' ? 1 : 0;
  const told = (which === 'open' ? push.trades_all : push.trades_entrust).filter(
    (row) => row.status === status && isInScope(scope, row),
  );
  const elsewhere = new Set((which === 'open' ? push.trades_entrust : push.trades_all).map(({ id }) => id));
  const byId = new Map(told.map((row) => [row.id, row]));
  const kept = board.rows.filter(({ id }) => !elsewhere.has(id)).map((row) => byId.get(row.id) ?? row);
  const held = new Set(board.rows.map(({ id }) => id));
  return {
    ...board,
    rows: [...told.filter(({ id }) => !held.has(id)), ...kept],
    // A list of all quotes has no rate of its own: it takes that of its one quote.
    hazard_rate: push.hazard_rate,
    profits: push.profits,
    profits_total: push.profits_all,
  };
}

/** A list without positions that are gone. */
export const without = (board: Board, ids: readonly string[]): Board => ({
  ...board,
  rows: board.rows.filter(({ id }) => !ids.includes(id)),
});

/** A list after an answer with one position: replaced, and removed where its state no longer belongs. */
export function withRow(board: Board, which: 'open' | 'pending', row: LeverPosition): Board {
  const belongs = which === 'open' ? row.status === 1 : row.status === 0;
  if (!belongs) return without(board, [row.id]);
  return board.rows.some(({ id }) => id === row.id)
    ? { ...board, rows: board.rows.map((other) => (other.id === row.id ? row : other)) }
    : { ...board, rows: [row, ...board.rows] };
}

/** How near the liquidation is, in words and colour: the rate at which all is closed is 110 (rules §3). */
export type RiskLevel = 'none' | 'safe' | 'watch' | 'danger';
export function riskLevel(rate: string, burst: string): RiskLevel {
  if (!/[1-9]/.test(rate)) return 'none';
  const at = Number(rate);
  const end = Number(burst);
  return at <= end * 1.2 ? 'danger' : at <= end * 2 ? 'watch' : 'safe';
}
/** The pointer of the gauge, in percent of its length: from the liquidation rate to four times of it. */
export const gaugeAt = (rate: string, burst: string): number =>
  Math.min(100, Math.max(0, ((Number(rate) - Number(burst)) / (3 * Number(burst))) * 100));

type Scaled = { price_scale: number; number_scale: number };
type Priced = Pick<LeverPosition, 'type' | 'price' | 'number'>;

/** Profit or loss of a position at a price, signed; empty without a price. */
function profitAtPrice(row: Priced, price: string, pair: Scaled): string {
  if (!/[1-9]/.test(price)) return '';
  const position = {
    direction: directionOf(row),
    price: ticksOf(row.price, pair.price_scale),
    lots: toUnits(row.number, pair.number_scale),
  };
  return formatTrimmed(profitsAt(scalesOf(pair), position, ticksOf(price, pair.price_scale)), COIN_SCALE);
}

/** Contracts of a percentage of a position, down, at least one. */
export const contractsOf = ({ share }: Pick<LeverPosition, 'share'>, percent: number): number =>
  Math.max(1, Math.floor((share * percent) / 100));

/** Contracts that are to close, as typed: how many, or what is wrong with them. */
export function readContracts(
  text: string,
  { share }: Pick<LeverPosition, 'share'>,
): { readonly contracts: number } | { readonly fault: 'shareInteger' | 'shareMax' } {
  if (!/^\d+$/.test(text) || Number(text) < 1) return { fault: 'shareInteger' };
  return Number(text) > share ? { fault: 'shareMax' } : { contracts: Number(text) };
}

/** Size and present result of some of the contracts of a position, as the server divides them: both down. */
export function partOf(
  { share, number, profits }: Pick<LeverPosition, 'share' | 'number' | 'profits'>,
  contracts: number,
): { readonly number: string; readonly profits: string } {
  const part = (text: string, scale: number): string =>
    formatUnits(divide(toUnits(text, scale) * BigInt(contracts), BigInt(share), 'floor'), scale);
  return { number: part(number, decimals(number)), profits: part(profits, decimals(profits)) };
}

/** Decimals of a return in percent. */
const ROI_SCALE = 2;
/**
 * Profit or loss in percent of the margin that the position was opened with, signed and cut; empty without a margin.
 * Night fees lower the margin that is left, not this one.
 */
export function roiOf({
  profits,
  origin_caution_money: margin,
}: Pick<LeverPosition, 'profits' | 'origin_caution_money'>): string {
  const scale = Math.max(decimals(profits), decimals(margin));
  const divisor = toUnits(margin, scale);
  if (divisor === 0n) return '';
  return formatUnits(divide(toUnits(profits, scale) * 100n * pow10(ROI_SCALE), divisor, 'down'), ROI_SCALE);
}

/** Expected profit at the target or loss at the stop, floored at 0 (rules §3); empty without one. */
export function expected(which: 'target' | 'stop', row: Priced, price: string, pair: Scaled): string {
  const signed = profitAtPrice(row, price, pair);
  if (signed === '') return '';
  const gains = !signed.startsWith('-');
  const amount = gains ? signed : signed.slice(1);
  return (which === 'target') === gains ? amount : '0';
}

/** Whether stops are allowed for a position, by its own mark and liquidation price. */
export function stopsFault(
  row: LeverPosition,
  { target, stop }: { target: string; stop: string },
  pair: Scaled,
): StopFault | null {
  const ticks = (text: string): bigint => ticksOf(text, pair.price_scale);
  return stopFault(
    directionOf(row),
    { price: ticks(row.price), mark: ticks(row.update_price), liquidation: ticks(row.liquidation_price) },
    { target: ticks(target), stop: ticks(stop) },
  );
}

/**
 * The liquidation price of a position after a transfer into the account (positive) or out of it, while all else stays:
 * it moves by amount / number, rounded so that it is never shown further away than it is. Empty where a long has none
 * now and the transfer takes money out: its distance is not known.
 */
export function liquidationAfter(
  row: Pick<LeverPosition, 'type' | 'number' | 'liquidation_price'>,
  transfer: string,
  pair: Scaled,
): string {
  const amount = toUnits(transfer, COIN_SCALE);
  const now = ticksOf(row.liquidation_price, pair.price_scale);
  if (now === 0n && amount < 0n) return '';
  const perTick = toUnits(row.number, pair.number_scale) * pow10(COIN_SCALE);
  const moved = divide(amount * pow10(pair.price_scale + pair.number_scale), perTick, 'floor');
  const after = row.type === 1 ? now - moved : now + moved;
  return formatUnits(now === 0n || after < 0n ? 0n : after, pair.price_scale);
}

/** The mean price at which positions were opened, weighted by their size; undefined for fewer than two. */
export function averageEntry(
  rows: readonly Pick<LeverPosition, 'price' | 'number'>[],
  priceScale: number,
): string | undefined {
  if (rows.length < 2) return undefined;
  const scale = Math.max(...rows.map(({ price }) => decimals(price)), priceScale);
  const sizeScale = Math.max(...rows.map(({ number }) => decimals(number)));
  let worth = 0n;
  let size = 0n;
  for (const { price, number } of rows) {
    const lots = toUnits(number, sizeScale);
    worth += toUnits(price, scale) * lots;
    size += lots;
  }
  return size === 0n ? undefined : formatUnits(divide(worth, size, 'half_up'), scale);
}
