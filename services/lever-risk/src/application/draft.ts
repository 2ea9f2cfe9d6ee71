import {
  accountAfter,
  marginRatio,
  HUNDRED_PERCENT,
  liquidationPrice,
  maxContracts,
  openingCost,
  openingPrice,
  ratePasses,
  stopFault,
  type LeverAccount,
  type LeverCost,
  type LeverOffer,
} from '@bourse/formulas';
import { formatUnits, parseAmount, minOf } from '@bourse/money';
import { Refused } from '@bourse/platform';
import type { Settings } from '@bourse/settings';
import { accountOf, liquidationRateOf, pairsOf, type Marks } from '../domain/account.js';
import { STATUS, type Position } from '../domain/position.js';
import type { SubmitBody } from './fields.js';
import type { ClaimedAccount } from './account-claims.js';
import type { LeverMarket, LeverMarkets } from './lever-markets.js';
import {
  LIQUIDATION_RATE,
  HOUSE_COVER,
  MAX_POSITIONS,
  MIN_VALUE,
  LEVERAGES,
  OPEN_RATE,
  OVERNIGHT,
  CONTRACTS_MAX,
  CONTRACTS_MIN,
  SPREAD,
  TRADE_FEE,
  USDT_SCALE,
} from './lever-settings.js';

/** A position as requested: read and validated, not yet checked against the account. */
export interface Draft {
  readonly market: LeverMarket;
  readonly kind: 'market' | 'limit';
  readonly contracts: number;
  readonly leverage: number;
  readonly lots: bigint;
  /** The current mark price, and the opening price without the spread. */
  readonly mark: bigint;
  readonly base: bigint;
  readonly price: bigint;
  readonly cost: LeverCost;
  readonly target: bigint;
  readonly stop: bigint;
  readonly offer: LeverOffer;
  readonly overnight: bigint;
  readonly liquidationRate: bigint;
  readonly contractsMax: number;
  /** Largest number of positions and trigger orders of the account, this one included. */
  readonly positionsMax: number;
  readonly clientId: string;
  readonly direction: SubmitBody['direction'];
}

/** A draft that the account can open, with the figures of the account after it. */
export interface CheckedDraft {
  readonly after: LeverAccount;
  readonly marginRatio: bigint;
  readonly liquidationPrice: bigint;
  readonly maxContracts: bigint;
}

/** Decimals of `hazard_rate`. */
export const RATE_SCALE = 2;

/**
 * Reads a position in the order of rules §12.6: pair → multiple → price (limit) → share integer → not below min → not
 * above max → price fresh → side of the target → least value → stops, as far as they do not depend on the account.
 * @throws Refused with the key of the first failure
 */
export function readDraft(fields: SubmitBody, markets: LeverMarkets, settings: Settings): Draft {
  const market = markets.open(fields.quoteId, fields.baseId);
  const { scales } = market;
  const { direction, kind, multiple: leverage, share: contracts } = fields;
  if (!settings.get(LEVERAGES).includes(leverage))
    throw new Refused('lever.multipleInvalid', {}, { field: 'multiple' });
  const wanted = kind === 'limit' ? targetPrice(fields, scales.priceScale) : null;
  const [min, max] = [settings.get(CONTRACTS_MIN), settings.get(CONTRACTS_MAX)];
  if (contracts < min) throw new Refused('lever.shareMin', { min }, { field: 'share' });
  if (max > 0 && contracts > max) throw new Refused('lever.shareMax', { max }, { field: 'share' });
  const mark = markets.fresh(market);
  const base = wanted ?? mark;
  if (wanted !== null && (direction === 'long' ? wanted >= mark : wanted <= mark))
    throw new Refused('lever.entrustSide', {}, { field: 'target_price' });
  const lots = market.contractLots * BigInt(contracts);
  const price = openingPrice(direction, base, settings.get(SPREAD));
  const feeRate = settings.get(TRADE_FEE);
  const cost = openingCost(scales, price, lots, BigInt(leverage), feeRate);
  const least = markets.worthOf(settings.get(MIN_VALUE), USDT_SCALE, market.quote);
  if (cost.contractValue < least)
    throw new Refused('quantity.rule', { min: formatUnits(least, scales.quoteScale) }, { field: 'share' });
  const stops = readStops(fields, scales.priceScale);
  return {
    market,
    kind,
    contracts,
    leverage,
    lots,
    mark,
    base,
    price,
    cost,
    ...stops,
    // A trigger order is checked at its own price, at which it will open.
    offer: {
      scales,
      direction,
      price,
      mark: base,
      contractLots: market.contractLots,
      leverage: BigInt(leverage),
      feeRate,
      openRate: settings.get(OPEN_RATE),
    },
    overnight: settings.get(OVERNIGHT),
    liquidationRate: settings.get(LIQUIDATION_RATE),
    contractsMax: max,
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
 * Target and stop of a request; absent, empty and 0 mean none.
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

/** Prices of all pairs on which the margin ratio of the account depends. @throws Refused `market.stale` */
export const riskMarks = (claimed: Pick<ClaimedAccount, 'positions'>, draft: Draft, markets: LeverMarkets): Marks =>
  new Map([...markets.freshMarks(pairsOf(claimed.positions)), [draft.market.pairId, draft.mark]]);

/**
 * Checks a draft on the account, in the remaining order: stops → number of positions → house → balance → risk.
 * @throws Refused with the key of the first failure
 */
export function checkDraft(
  draft: Draft,
  claimed: Pick<ClaimedAccount, 'balance' | 'positions' | 'house'>,
  marks: Marks,
  openNotional: bigint,
  cover: bigint,
): CheckedDraft {
  const { offer, cost, market, direction, price } = draft;
  const account = accountOf(claimed.balance, claimed.positions, marks);
  const contracts = BigInt(draft.contracts);
  // Stops are checked before the balance: the liquidation price is computed as if the balance covered the cost.
  const need = cost.margin + cost.fee;
  const funded = accountAfter({ ...account, balance: account.balance + need }, offer, contracts);
  if (!funded) throw new Error('invariant: an account with the cost added covers it');
  const after = { ...funded, balance: funded.balance - need };
  const position = { direction, price, lots: draft.lots, margin: cost.margin };
  const liquidationRate =
    claimed.positions.length === 0
      ? draft.liquidationRate
      : minOf(liquidationRateOf(claimed.positions, draft.liquidationRate), draft.liquidationRate);
  const liquidation = liquidationPrice(offer.scales, position, after, offer.mark, liquidationRate);
  checkStops(direction, { price, mark: draft.mark, liquidation }, draft, market.scales.priceScale);
  if (claimed.positions.filter(countsAsPosition).length >= draft.positionsMax)
    throw new Refused('lever.tooMany', { max: draft.positionsMax });
  if (openNotional + cost.contractValue > coveredNotional(claimed.house, cover)) throw new Refused('lever.houseLimit');
  if (account.balance < need) throw new Refused('balance.insufficient');
  const most = maxContracts(account, offer, BigInt(draft.contractsMax));
  if (!ratePasses(after, offer.openRate))
    throw new Refused('lever.riskOpen', {
      rate: formatUnits(marginRatio(after), RATE_SCALE),
      max_share: Number(most),
    });
  return { after, marginRatio: marginRatio(after), liquidationPrice: liquidation, maxContracts: most };
}

/** Pending or open; a closing position does not count. */
const countsAsPosition = ({ status }: Position): boolean => status === STATUS.pending || status === STATUS.open;

/** The largest open notional that the house balance covers at this rate; unlimited at 0. */
function coveredNotional(house: bigint, cover: bigint): bigint {
  return cover === 0n ? 10n ** 29n : (house * HUNDRED_PERCENT) / cover;
}

/** The largest open notional that the house covers in the quote of the account. */
export const houseLimit = (claimed: Pick<ClaimedAccount, 'house'>, settings: Settings): bigint =>
  coveredNotional(claimed.house, settings.get(HOUSE_COVER));
