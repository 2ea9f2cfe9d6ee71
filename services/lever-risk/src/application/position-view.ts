import type { LeverPosition } from '@bourse/contract';
import { liquidationPrice, PERCENT_SCALE, type LeverAccount } from '@bourse/formulas';
import { formatTrimmed, formatUnits } from '@bourse/money';
import { timeText } from '@bourse/platform';
import { liquidationRateOf, profitsOf, type Marks } from '../domain/account.js';
import { STATUS, STATUS_NAMES, type Position } from '../domain/position.js';
import type { LeverMarket } from './lever-markets.js';

/**
 * The price at which the account is liquidated if all other prices stay; 0 unless the position is open.
 * @param positions all positions of the account, this one included
 */
export function liquidationOf(
  position: Position,
  account: LeverAccount,
  positions: readonly Position[],
  marks: Marks,
): bigint {
  if (position.status !== STATUS.open) return 0n;
  const mark = marks.get(position.pairId) ?? position.price;
  return liquidationPrice(
    position.scales,
    position,
    account,
    mark,
    liquidationRateOf(positions, position.liquidationRate),
  );
}

/** A position in the form of the contract (api §2.5). */
export function positionView(
  position: Position,
  market: LeverMarket,
  marks: Marks,
  liquidation: bigint,
): LeverPosition {
  const { status, scales, handledAt, openedAt } = position;
  if (status === STATUS.waiting)
    throw new Error(`invariant: position ${position.id} is shown before the ledger has accepted it`);
  const price = (ticks: bigint): string => formatUnits(ticks, scales.priceScale);
  const money = (units: bigint): string => formatUnits(units, scales.quoteScale);
  const isDone = status === STATUS.closing || status === STATUS.closed;
  return {
    id: position.id,
    ...(position.partOf === null ? {} : { part_of: position.partOf }),
    legal: market.quoteName,
    currency: market.baseName,
    legal_id: market.quote,
    currency_id: market.base,
    symbol: market.symbol,
    type: position.direction === 'long' ? 1 : 2,
    status,
    status_name: STATUS_NAMES[status],
    share: position.contracts,
    number: formatUnits(position.lots, scales.numberScale),
    multiple: position.leverage,
    price: price(position.price),
    origin_price: price(position.originPrice),
    update_price: price(isDone ? position.closePrice : (marks.get(position.pairId) ?? 0n)),
    caution_money: money(position.margin),
    origin_caution_money: money(position.initialMargin),
    target_profit_price: price(position.target),
    stop_loss_price: price(position.stop),
    profits: money(profitsOf(position, marks)),
    fund_paid: money(position.closeShortfall),
    trade_fee: money(position.fee),
    overnight: formatTrimmed(position.overnight, PERCENT_SCALE),
    overnight_money: money(position.paidOvernightFees),
    liquidation_price: price(liquidation),
    closed_type: position.closedBy,
    time: timeText(position.changedAt),
    create_time: timeText(position.createdAt),
    ts: position.createdAt,
    updated_ts: position.changedAt,
    transaction_time: timeText(openedAt),
    handle_time: timeText(handledAt),
    client_id: position.clientId,
  };
}
