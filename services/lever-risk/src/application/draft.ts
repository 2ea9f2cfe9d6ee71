import {
  accountAfter,
  hazardRate,
  HUNDRED_PERCENT,
  liquidationPrice,
  maxShare,
  openingCost,
  openingPrice,
  ratePasses,
  stopFault,
  type LeverAccount,
  type LeverCost,
  type LeverOffer,
} from '@bourse/formulas';
import { formatUnits, parseAmount } from '@bourse/money';
import { Refused } from '@bourse/platform';
import type { Settings } from '@bourse/settings';
import { accountOf, burstOf, pairsOf, type Marks } from '../domain/account.js';
import { STATUS, type Position } from '../domain/position.js';
import type { SubmitBody } from './fields.js';
import type { Seat } from './judge.js';
import type { LeverMarket, LeverMarkets } from './lever-markets.js';
import {
  BURST_RATE,
  HOUSE_COVER,
  MAX_POSITIONS,
  MIN_VALUE,
  MULTIPLES,
  OPEN_RATE,
  OVERNIGHT,
  SHARE_MAX,
  SHARE_MIN,
  SPREAD,
  TRADE_FEE,
  USDT_SCALE,
} from './lever-settings.js';

/** A position as it is asked for, all of it read, nothing judged yet. */
export interface Draft {
  readonly market: LeverMarket;
  readonly kind: 'market' | 'limit';
  readonly share: number;
  readonly multiple: number;
  readonly lots: bigint;
  /** The mark price now, and the price that the position opens by without the spread. */
  readonly mark: bigint;
  readonly base: bigint;
  readonly price: bigint;
  readonly cost: LeverCost;
  readonly target: bigint;
  readonly stop: bigint;
  readonly offer: LeverOffer;
  readonly overnight: bigint;
  readonly burst: bigint;
  readonly shareMax: number;
  /** Positions and pending orders of the account with this one. */
  readonly positionsMax: number;
  readonly clientId: string;
  readonly direction: SubmitBody['direction'];
}

/** What the account becomes with it. */
export interface Judged {
  readonly after: LeverAccount;
  readonly hazardRate: bigint;
  readonly liquidationPrice: bigint;
  readonly maxShare: bigint;
}

/** Decimals of hazard_rate. */
export const RATE_SCALE = 2;

/**
 * Reads a position in the order of rules §12.6: pair → multiple → price (limit) → share integer → not below min → not
 * above max → price fresh → side of the target → least value → stops, as far as they can be told without the account.
 * @throws Refused with the key of the first that fails
 */
export function readDraft(fields: SubmitBody, markets: LeverMarkets, settings: Settings): Draft {
  const market = markets.open(fields.quoteId, fields.baseId);
  const { scales } = market;
  const { direction, kind, multiple } = fields;
  if (!settings.get(MULTIPLES).includes(multiple))
    throw new Refused('lever.multipleInvalid', {}, { field: 'multiple' });
  const wanted = kind === 'limit' ? targetPrice(fields, scales.priceScale) : null;
  const { share } = fields;
  const [min, max] = [settings.get(SHARE_MIN), settings.get(SHARE_MAX)];
  if (share < min) throw new Refused('lever.shareMin', { min }, { field: 'share' });
  if (max > 0 && share > max) throw new Refused('lever.shareMax', { max }, { field: 'share' });
  const mark = markets.fresh(market);
  const base = wanted ?? mark;
  if (wanted !== null && (direction === 'long' ? wanted >= mark : wanted <= mark))
    throw new Refused('lever.entrustSide', {}, { field: 'target_price' });
  const lots = market.handLots * BigInt(share);
  const price = openingPrice(direction, base, settings.get(SPREAD));
  const feeRate = settings.get(TRADE_FEE);
  const cost = openingCost(scales, price, lots, BigInt(multiple), feeRate);
  const least = markets.worthOf(settings.get(MIN_VALUE), USDT_SCALE, market.quote);
  if (cost.contractValue < least)
    throw new Refused('quantity.rule', { min: formatUnits(least, scales.quoteScale) }, { field: 'share' });
  const stops = readStops(fields, scales.priceScale);
  return {
    market,
    kind,
    share,
    multiple,
    lots,
    mark,
    base,
    price,
    cost,
    ...stops,
    // A touch order is judged as if the market stood where it opens.
    offer: {
      scales,
      direction,
      price,
      mark: base,
      handLots: market.handLots,
      multiple: BigInt(multiple),
      feeRate,
      openRate: settings.get(OPEN_RATE),
    },
    overnight: settings.get(OVERNIGHT),
    burst: settings.get(BURST_RATE),
    shareMax: max,
    positionsMax: settings.get(MAX_POSITIONS),
    clientId: fields.clientId ?? '',
    direction,
  };
}

function targetPrice({ price }: SubmitBody, scale: number): bigint {
  if (!price) throw new Refused('lever.priceRequired', {}, { field: 'target_price' });
  return price.units(scale);
}

/**
 * Target and stop of a request; absent, empty and 0 are none.
 * @throws Refused `lever.stopNegative`, then the grammar
 */
export function readStops(
  fields: { readonly target?: string | undefined; readonly stop?: string | undefined },
  scale: number,
): { readonly target: bigint; readonly stop: bigint } {
  const named = [
    ['target_profit_price', fields.target],
    ['stop_loss_price', fields.stop],
  ] as const;
  for (const [field, text] of named) if (text?.startsWith('-')) throw new Refused('lever.stopNegative', {}, { field });
  const [target, stop] = named.map(([field, text]) => {
    if (text === undefined || text === '') return 0n;
    const parsed = parseAmount(text, scale);
    if (parsed.ok) return parsed.units;
    throw new Refused('common.fieldInvalid', parsed.fault === 'scale' ? { field, scale } : { field }, { field });
  });
  return { target: target ?? 0n, stop: stop ?? 0n };
}

/** @throws Refused `lever.stopSide`, `lever.stopBeyondLiquidation` {limit} */
export function checkStops(
  direction: Draft['direction'],
  prices: { readonly price: bigint; readonly mark: bigint; readonly liquidation: bigint },
  stops: { readonly target: bigint; readonly stop: bigint },
  priceScale: number,
): void {
  const fault = stopFault(direction, prices, stops);
  if (fault === 'side')
    throw new Refused('lever.stopSide', {}, { field: stops.stop === 0n ? 'target_profit_price' : 'stop_loss_price' });
  if (fault === 'beyond_liquidation')
    throw new Refused(
      'lever.stopBeyondLiquidation',
      { limit: formatUnits(prices.liquidation, priceScale) },
      { field: 'stop_loss_price' },
    );
}

/** Prices of all pairs that the account's risk depends on. @throws Refused `market.stale` */
export const riskMarks = (seat: Pick<Seat, 'positions'>, draft: Draft, markets: LeverMarkets): Marks =>
  new Map([...markets.freshMarks(pairsOf(seat.positions)), [draft.market.pairId, draft.mark]]);

/**
 * The rest of the order: stops → number of positions → house → balance → risk. @throws Refused
 */
export function judgeDraft(
  draft: Draft,
  seat: Pick<Seat, 'balance' | 'positions' | 'house'>,
  marks: Marks,
  exposed: bigint,
  cover: bigint,
): Judged {
  const { offer, cost, market, direction, price } = draft;
  const account = accountOf(seat.balance, seat.positions, marks);
  const share = BigInt(draft.share);
  // As if the balance covered it: the stops are judged before the balance is.
  const need = cost.caution + cost.fee;
  const lent = accountAfter({ ...account, balance: account.balance + need }, offer, share);
  if (!lent) throw new Error('invariant: an account that is lent the cost covers it');
  const after = { ...lent, balance: lent.balance - need };
  const position = { direction, price, lots: draft.lots, caution: cost.caution };
  const burst = seat.positions.length === 0 ? draft.burst : lower(burstOf(seat.positions, draft.burst), draft.burst);
  const liquidation = liquidationPrice(offer.scales, position, after, offer.mark, burst);
  checkStops(direction, { price, mark: draft.mark, liquidation }, draft, market.scales.priceScale);
  if (seat.positions.filter(countsAsPosition).length >= draft.positionsMax)
    throw new Refused('lever.tooMany', { max: draft.positionsMax });
  if (exposed + cost.contractValue > coverable(seat.house, cover)) throw new Refused('lever.houseLimit');
  if (account.balance < need) throw new Refused('balance.insufficient');
  const most = maxShare(account, offer, BigInt(draft.shareMax));
  if (!ratePasses(after, offer.openRate))
    throw new Refused('lever.riskOpen', {
      rate: formatUnits(hazardRate(after), RATE_SCALE),
      max_share: Number(most),
    });
  return { after, hazardRate: hazardRate(after), liquidationPrice: liquidation, maxShare: most };
}

/** Pending and open; one that closes does not count. */
const countsAsPosition = ({ status }: Position): boolean => status === STATUS.pending || status === STATUS.open;

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Open notional that the house's money covers; without a cover asked for, whatever it comes to. */
export function coverable(house: bigint, cover: bigint): bigint {
  return cover === 0n ? 10n ** 29n : (house * HUNDRED_PERCENT) / cover;
}

/** Open notional that the house covers in a quote at most. */
export const coverOf = (seat: Pick<Seat, 'house'>, settings: Settings): bigint =>
  coverable(seat.house, settings.get(HOUSE_COVER));
