import type { Withdrawal } from '@bourse/contract';
import { formatUnits, toUnits } from '@bourse/money';
import { timeText } from '@bourse/platform';
import { statusOf } from '../domain/withdrawal.js';
import type { WithdrawalRow } from './ports.js';

/** A withdrawal as the lists show it (api §2.2). */
export function withdrawalView(
  row: Omit<WithdrawalRow, 'value' | 'approvals' | 'approvalsNeeded' | 'userId'>,
  coin: { readonly name: string; readonly scale: number },
): Withdrawal {
  const amount = (text: string): string => formatUnits(toUnits(text, coin.scale), coin.scale);
  return {
    id: row.id,
    currency_id: row.currencyId,
    currency_name: coin.name,
    number: amount(row.number),
    fee: amount(row.fee),
    received: amount(row.received),
    address: row.address,
    memo: row.memo,
    type: row.networkId,
    status: statusOf(row.state),
    state: row.state,
    tx_id: row.txId,
    confirmations: row.confirmations,
    reason: row.reason,
    create_time: timeText(row.createdAt),
    update_time: timeText(row.updatedAt),
    ts: row.createdAt,
    updated_ts: row.updatedAt,
  };
}

/** The UTC day of a business time. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
