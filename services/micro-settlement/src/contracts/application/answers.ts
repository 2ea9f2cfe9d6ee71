import type { MicroOrder, MicroSeconds } from '@bourse/contract';
import { PERCENT_SCALE } from '@bourse/formulas';
import { formatTrimmed, formatUnits, toUnits } from '@bourse/money';
import { timeText } from '@bourse/platform';
import type { Contract } from '../domain/contract.js';
import type { SecondsRow } from './ports.js';

/* Shapes of the contract with the outside (api §2.6). */

/** A price of a tick at the scale of its pair. */
const priced = (price: string | null, scale: number): string =>
  price === null ? '' : formatUnits(toUnits(price, scale), scale);

/** A contract as its owner sees it at a time. */
export function shownContract(contract: Contract, now: number): MicroOrder {
  const { scale, priceScale, state, result, acceptedAt, expireTime, seconds } = contract;
  if (acceptedAt === null) throw new Error(`invariant: contract ${contract.id} is shown before it was accepted`);
  const isClosed = state === 'closed';
  return {
    id: contract.id,
    match_id: contract.matchId,
    symbol_name: contract.symbol,
    currency_id: contract.currencyId,
    currency_name: contract.currencyName,
    type: contract.direction === 'up' ? 1 : 2,
    seconds,
    number: formatUnits(contract.stake, scale),
    fee: formatUnits(contract.fee, scale),
    profit_ratio: formatTrimmed(contract.ratio, PERCENT_SCALE),
    open_price: priced(contract.openPrice, priceScale),
    end_price: priced(contract.endPrice, priceScale),
    status: isClosed ? 3 : 1,
    result: result ?? '',
    fact_profits: formatUnits(contract.profits, scale),
    // Until the opening tick the clock has not started (rules §4).
    remain_milli_seconds: isClosed ? 0 : expireTime === null ? seconds * 1_000 : Math.max(0, expireTime - now),
    insured: contract.policyId === null ? 0 : 1,
    create_time: timeText(acceptedAt),
    open_time: timeText(contract.openTime),
    expire_time: timeText(expireTime),
    handle_time: timeText(contract.handledAt),
    ts: acceptedAt,
    updated_ts: Math.max(acceptedAt, contract.openTime ?? 0, contract.handledAt ?? 0),
  };
}

export const shownSeconds = ({ id, seconds, profitRatio, minMoney, maxMoney }: SecondsRow): MicroSeconds => ({
  id,
  seconds,
  showtime: String(seconds % 60 === 0 ? seconds / 60 : seconds),
  time_unit: seconds % 60 === 0 ? 'm' : 's',
  profit_ratio: profitRatio,
  min_money: minMoney,
  max_money: maxMoney,
});
