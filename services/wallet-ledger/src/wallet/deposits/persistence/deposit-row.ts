import type { ChainName } from '@bourse/contract';
import type { DepositRow } from '../application/ports.js';
import type { DepositState } from '../domain/deposit.js';

/** Columns of `deposit` that `depositOf` reads. */
export const DEPOSIT_COLUMNS =
  'id::text, network_id, chain, contract, tx_id, output, address, memo, user_id, currency_id, amount::text, ' +
  'height, decide_again, state, confirmations_needed, min_deposit::text, return_address, return_fee::text, ' +
  `return_value::text, coalesce(return_day::text, '') as return_day, return_tx_id, return_attempts, ` +
  'seen_at, updated_at';

/** A row of `deposit` as the driver returns it. */
export interface StoredDeposit extends Record<string, unknown> {
  id: string;
  network_id: number;
  chain: ChainName;
  contract: string;
  tx_id: string;
  output: number;
  address: string;
  memo: string;
  user_id: string | null;
  currency_id: number;
  amount: string;
  height: string | null;
  decide_again: boolean;
  state: DepositState;
  confirmations_needed: number;
  min_deposit: string;
  return_address: string;
  return_fee: string;
  return_value: string;
  return_day: string;
  return_tx_id: string;
  return_attempts: number;
  seen_at: Date;
  updated_at: Date;
}

/** A stored deposit as use cases see it. */
export const depositOf = (row: StoredDeposit): DepositRow => ({
  id: row.id,
  networkId: row.network_id,
  chain: row.chain,
  contract: row.contract,
  txId: row.tx_id,
  output: row.output,
  address: row.address,
  memo: row.memo,
  userId: row.user_id === null ? null : Number(row.user_id),
  currencyId: row.currency_id,
  amount: row.amount,
  height: row.height === null ? null : Number(row.height),
  isConfirmed: row.height !== null && !row.decide_again,
  state: row.state,
  needed: row.confirmations_needed,
  minimum: row.min_deposit,
  returnAddress: row.return_address,
  returnFee: row.return_fee,
  returnValue: row.return_value,
  returnDay: row.return_day,
  returnTxId: row.return_tx_id,
  returnAttempts: row.return_attempts,
  seenAt: row.seen_at.getTime(),
  updatedAt: row.updated_at.getTime(),
});
