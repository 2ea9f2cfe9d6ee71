import type {
  Insurance,
  InsuranceClaim,
  InsuranceType,
  MicroOrder,
  MicroSeconds,
  Tick as ShownTick,
} from '@bourse/contract';
import { PERCENT_SCALE } from '@bourse/formulas';
import { formatTrimmed, formatUnits, toUnits } from '@bourse/money';
import { timeText } from '@bourse/platform';
import type { Contract } from '../domain/contract.js';
import { isClaimable, type Claim, type Policy } from '../domain/policy.js';
import type { Tick } from '../domain/tick.js';
import type { InsuranceTypeRow, SecondsRow } from './ports.js';

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

export const shownTick = ({ id, symbol, time, price, at, prevHash, hash }: Tick): ShownTick => ({
  id: String(id),
  symbol,
  time,
  price,
  ...(at !== null && { at }),
  prev_hash: prevHash,
  hash,
});

export const shownSeconds = ({ id, seconds, profitRatio, minMoney, maxMoney }: SecondsRow): MicroSeconds => ({
  id,
  seconds,
  showtime: String(seconds % 60 === 0 ? seconds / 60 : seconds),
  time_unit: seconds % 60 === 0 ? 'm' : 's',
  profit_ratio: profitRatio,
  min_money: minMoney,
  max_money: maxMoney,
});

/** `currencyName` of the catalog. */
export const shownType = (row: InsuranceTypeRow, currencyName: string, quotaLeft: string): InsuranceType => ({
  id: row.id,
  currency_id: row.currencyId,
  currency_name: currencyName,
  name: row.name,
  min_amount: row.minAmount,
  max_amount: row.maxAmount,
  premium_rate: row.premiumRate,
  end_profit_rate: row.endProfitRate,
  claim_loss_rate: row.claimLossRate,
  claim_rate: row.claimRate,
  claims_per_day: row.claimsPerDay,
  stake_rate: row.stakeRate,
  max_open: row.maxOpen,
  quota_left: quotaLeft,
});

const STATUS = { waiting: 1, active: 1, claiming: 1, claimed: 2, cancelled: 3, ended: 4 } as const;

export function shownPolicy(policy: Policy): Insurance {
  const { scale } = policy;
  return {
    id: policy.id,
    insurance_type_id: policy.typeId,
    currency_name: policy.currencyName,
    amount: formatUnits(policy.amount, scale),
    premium: formatUnits(policy.premium, scale),
    vault: formatUnits(policy.vault, scale),
    status: STATUS[policy.state],
    claimable: isClaimable(policy) ? 1 : 0,
    created_at: timeText(policy.createdAt),
    ended_at: timeText(policy.endedAt),
  };
}

export const shownClaim = ({ id, policyId, amount, scale, state, createdAt, paidAt }: Claim): InsuranceClaim => ({
  id,
  insurance_id: policyId,
  amount: formatUnits(amount, scale),
  status: state === 'paid' ? 2 : 1,
  created_at: timeText(createdAt),
  paid_at: timeText(paidAt),
});
