import { INTERNAL_CURRENCIES } from '@bourse/events';
import { formatTrimmed } from '@bourse/money';
import { CASH_SCALE, cashOf, coinsOf, type AcceptorDeal } from '../../acceptors/domain/acceptor-deal.js';
import { buyerOf, dealHoldAmount, sellerOf, type Deal } from '../../deals/domain/deal.js';

/** Total of an object's journals in one account, available and held together, decimal text. `owner` null: the house. */
export interface LedgerTotal {
  readonly owner: number | null;
  readonly account: string;
  readonly currency: number;
  readonly amount: string;
}

const CASH = INTERNAL_CURRENCIES.CSH.id;
const formatTotal = ({ owner, account, currency, amount }: LedgerTotal): string =>
  `${owner === null ? '' : `${owner}.`}${account} ${amount} of currency ${currency}`;

/** Totals as one text, equal for equal totals; `nothing` without any. */
export const describeTotals = (nets: readonly LedgerTotal[]): string =>
  nets.map(formatTotal).sort().join(', ') || 'nothing';

/** The fields of a deal that its journals depend on. */
export type AuditedDeal = Pick<
  Deal,
  'id' | 'type' | 'ownerId' | 'takerId' | 'sellerAccount' | 'currencyId' | 'scale' | 'number' | 'fee' | 'state'
>;
/**
 * Expected totals of a deal on an ad: when it is finished, the coins are the buyer's and the fee is the house's;
 * otherwise they are still the seller's, held or free.
 */
export function expectDealTotals(deal: AuditedDeal): LedgerTotal[] {
  if (deal.state !== 'finished') return [];
  const { currencyId: currency, scale, number, fee } = deal;
  const amount = (units: bigint): string => formatTrimmed(units, scale);
  const nets: LedgerTotal[] = [
    { owner: sellerOf(deal), account: deal.sellerAccount, currency, amount: amount(-dealHoldAmount(deal)) },
    { owner: buyerOf(deal), account: 'legal', currency, amount: amount(number) },
  ];
  return fee === 0n ? nets : [...nets, { owner: null, account: 'h.fees', currency, amount: amount(fee) }];
}

/** The fields of a deal with an acceptor that its journals depend on. */
export type AuditedAcceptorDeal = Pick<
  AcceptorDeal,
  'type' | 'userId' | 'acceptorId' | 'currencyId' | 'scale' | 'money' | 'received' | 'state' | 'missing'
>;
/**
 * Expected totals of a deal with an acceptor: when it is confirmed, coins and cash have changed hands; otherwise both
 * sides have their own, apart from coins that the house has paid in place of the acceptor.
 */
export function expectAcceptorDealTotals(deal: AuditedAcceptorDeal): LedgerTotal[] {
  if (deal.state !== 'confirmed') return calculateMissing(deal);
  const { type, userId, acceptorId, currencyId: currency, scale } = deal;
  const sign = type === 'buy' ? 1n : -1n;
  const coins = (units: bigint): string => formatTrimmed(units, scale);
  const cash = (units: bigint): string => formatTrimmed(units, CASH_SCALE);
  return [
    { owner: userId, account: 'legal', currency, amount: coins(sign * coinsOf(deal)) },
    { owner: acceptorId, account: 'acceptor', currency, amount: coins(-sign * coinsOf(deal)) },
    { owner: acceptorId, account: 'quota', currency: CASH, amount: cash(sign * cashOf(deal)) },
    { owner: null, account: 'h.quota', currency: CASH, amount: cash(-sign * cashOf(deal)) },
  ];
}

function calculateMissing({ acceptorId, currencyId: currency, scale, missing }: AuditedAcceptorDeal): LedgerTotal[] {
  if (missing === 0n) return [];
  const amount = (units: bigint): string => formatTrimmed(units, scale);
  return [
    { owner: acceptorId, account: 'acceptor', currency, amount: amount(missing) },
    { owner: null, account: 'h.capital', currency, amount: amount(-missing) },
  ];
}
