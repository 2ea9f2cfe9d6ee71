import {
  accountAfter,
  COIN_SCALE,
  liquidationPrice,
  marginRatio,
  maxContracts,
  openingCost,
  openingPrice,
  percent,
  profitsAt,
  ratePasses,
  stopFault,
  type Direction,
  type LeverAccount,
  type LeverScales,
  type StopFault,
} from '@bourse/formulas';
import type { LeverDeal, LeverPosition, LeverPreview, QuotationItem } from '@bourse/contract';
import { formatTrimmed, formatUnits, toUnits } from '@bourse/money';

/** The inputs of an offer: the pair, the terms of the deal, and the account at the mark price. */
export interface OfferTerms {
  readonly scales: LeverScales;
  /** Mark price, decimal text. */
  readonly mark: string;
  readonly contractLots: bigint;
  readonly account: LeverAccount;
  readonly spread: bigint;
  readonly feeRate: bigint;
  readonly openRate: bigint;
  readonly burstRate: bigint;
  readonly shareMax: bigint;
}
export interface OfferAsked {
  readonly direction: Direction;
  readonly multiple: number;
  readonly share: bigint;
  /** Mark price, or the target of a touch order. */
  readonly base: string;
}
/** The cost and the effects of opening. */
export interface Offered {
  readonly figures: LeverPreview;
  /** The balance covers margin and fee. */
  readonly covered: boolean;
  /** The risk rate after it is high enough to open. */
  readonly opens: boolean;
  readonly stopFault: (stops: { target: bigint; stop: bigint }) => StopFault | null;
}

export const scalesOf = ({ price_scale, number_scale }: Pick<QuotationItem, 'price_scale' | 'number_scale'>) => ({
  priceScale: price_scale,
  numberScale: number_scale,
  quoteScale: COIN_SCALE,
});
/** A price in ticks; decimals beyond the pair's, as an index may have them, are cut. */
export const ticksOf = (text: string, scale: number): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return whole === '' ? 0n : toUnits(scale === 0 ? whole : `${whole}.${fraction.slice(0, scale) || '0'}`, scale);
};
const money = (text: string): bigint => toUnits(text, COIN_SCALE);

/** The account of a quote from its balance and all its open positions. */
export function accountOf(balance: string, rows: readonly LeverPosition[]): LeverAccount {
  const live = rows.filter(({ status }) => status === 1 || status === 2);
  const sum = (read: (row: LeverPosition) => string): bigint => live.reduce((all, row) => all + money(read(row)), 0n);
  return {
    balance: money(balance),
    margin: sum((row) => row.caution_money),
    initialMargin: sum((row) => row.origin_caution_money),
    profits: sum((row) => row.profits),
  };
}

export const termsOf = (
  pair: Pick<QuotationItem, 'price_scale' | 'number_scale'>,
  deal: LeverDeal,
  mark: string,
  account: LeverAccount,
): OfferTerms => ({
  scales: scalesOf(pair),
  mark: formatUnits(ticksOf(mark, pair.price_scale), pair.price_scale),
  contractLots: toUnits(deal.lever_share_num, pair.number_scale),
  account,
  spread: percent(deal.spread),
  feeRate: percent(deal.lever_trade_fee),
  openRate: percent(deal.open_rate),
  burstRate: percent(deal.burst_rate),
  shareMax: BigInt(deal.lever_share_limit.max),
});

/**
 * Price, margin, fee, liquidation price and risk rate of an order by the engine's own formulas; undefined while
 * something of it is missing.
 */
export function judgeOffer(terms: OfferTerms, asked: OfferAsked): Offered | undefined {
  const { scales, account, contractLots } = terms;
  if (asked.multiple === 0 || asked.share < 0n || !isPrice(asked.base, scales) || !isPrice(terms.mark, scales))
    return undefined;
  const mark = toUnits(terms.mark, scales.priceScale);
  const price = openingPrice(asked.direction, toUnits(asked.base, scales.priceScale), terms.spread);
  const offer = {
    scales,
    direction: asked.direction,
    price,
    mark,
    contractLots,
    leverage: BigInt(asked.multiple),
    feeRate: terms.feeRate,
    openRate: terms.openRate,
  };
  const most = maxContracts(account, offer, terms.shareMax);
  const lots = contractLots * asked.share;
  const cost = openingCost(scales, price, lots, offer.leverage, terms.feeRate);
  const position = { direction: asked.direction, price, lots, margin: cost.margin };
  const after = accountAfter(account, offer, asked.share);
  // A cost beyond the balance still has its figures, with a negative balance.
  const shown = after ?? {
    balance: account.balance - cost.margin - cost.fee,
    margin: account.margin + cost.margin,
    initialMargin: account.initialMargin + cost.margin,
    profits: account.profits + profitsAt(scales, position, mark),
  };
  const liquidation = lots === 0n ? 0n : liquidationPrice(scales, position, shown, mark, terms.burstRate);
  const text = (units: bigint): string => formatTrimmed(units, COIN_SCALE);
  return {
    figures: {
      price: formatUnits(price, scales.priceScale),
      number: formatTrimmed(lots, scales.numberScale),
      contract_value: text(cost.contractValue),
      caution_money: text(cost.margin),
      trade_fee: text(cost.fee),
      hazard_rate: formatUnits(marginRatio(shown), 2),
      liquidation_price: formatUnits(liquidation, scales.priceScale),
      max_share: Number(most),
    },
    covered: after !== null,
    opens: after !== null && ratePasses(after, terms.openRate),
    stopFault: (stops) => stopFault(asked.direction, { price, mark, liquidation }, stops),
  };
}

const isPrice = (text: string, { priceScale }: LeverScales): boolean =>
  /^\d+(\.\d+)?$/.test(text) && (text.split('.')[1]?.length ?? 0) <= priceScale && /[1-9]/.test(text);
