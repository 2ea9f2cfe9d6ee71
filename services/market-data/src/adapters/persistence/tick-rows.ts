import type { StoredTick } from '../../application/tick-store.js';

/** Columns of `tick` t and `tick_key` k that `tickOf` reads. */
export const TICK_COLUMNS = `t.pair_id, (extract(epoch from t.time) * 1000)::bigint as time,
  t.id, t.price::text as price, (extract(epoch from t.at) * 1000)::bigint as at, t.kind,
  encode(t.prev_hash, 'hex') as prev_hash, encode(t.hash, 'hex') as hash,
  translate(encode(t.signature, 'base64'), E'\\n', '') as signature, encode(k.public_key, 'base64') as public_key`;

/** A row of `tick` as the driver returns it. */
export interface StoredTickRow {
  pair_id: number;
  time: string;
  id: string;
  price: string;
  at: string | null;
  kind: StoredTick['kind'];
  prev_hash: string;
  hash: string;
  signature: string;
  public_key: string;
}

/** A stored tick. Its price has the digits it was stored with. */
export const tickOf = (row: StoredTickRow): StoredTick => ({
  pairId: row.pair_id,
  time: Number(row.time),
  id: Number(row.id),
  price: row.price,
  at: row.at === null ? null : Number(row.at),
  kind: row.kind,
  prevHash: row.prev_hash,
  hash: row.hash,
  signature: row.signature,
  publicKey: row.public_key,
});
