import type { Signature } from '../application/chain.js';

/** Columns of a signature in the tables of payouts and of sweeps. */
export const SIGNATURE = `attempt, tx_id, bytes, spends, network_fee::text,
                floor(extract(epoch from signed_at) * 1000)::bigint as at`;

export interface SignatureRow {
  attempt: number;
  tx_id: string;
  bytes: string;
  spends: string[];
  network_fee: string;
  at: string;
}

export const toSignature = (row: SignatureRow): Signature => ({
  attempt: row.attempt,
  txId: row.tx_id,
  bytes: row.bytes,
  spends: row.spends,
  networkFee: BigInt(row.network_fee),
  at: Number(row.at),
});
