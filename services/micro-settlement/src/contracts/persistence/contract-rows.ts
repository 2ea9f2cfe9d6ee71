import type { MicroResult } from '@bourse/formulas';
import { PERCENT_SCALE } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import type { Contract, ContractState } from '../domain/contract.js';

/** A row of `contract`, with times in ms and amounts as texts. */
export interface StoredContract {
  readonly id: string;
  readonly user_id: string;
  readonly match_id: number;
  readonly symbol: string;
  readonly price_scale: number;
  readonly currency_id: number;
  readonly currency_name: string;
  readonly scale: number;
  readonly direction: 'up' | 'down';
  readonly seconds: number;
  readonly stake: string;
  readonly fee: string;
  readonly ratio: string;
  readonly policy_id: string | null;
  readonly state: ContractState;
  readonly accepted_at: string | null;
  readonly open_tick_id: string | null;
  readonly open_time: string | null;
  readonly open_price: string | null;
  readonly expire_time: string | null;
  readonly end_tick_ids: readonly string[];
  readonly end_price: string | null;
  readonly result: MicroResult | null;
  readonly profits: string;
  readonly handled_at: string | null;
}

const TIMES = ['accepted_at', 'open_time', 'expire_time', 'handled_at'];
/** The columns of a contract, for a select or `returning` on the alias `c`. */
export const CONTRACT_COLUMNS = [
  'c.id::text',
  'c.user_id::text',
  ...['match_id', 'symbol', 'price_scale', 'currency_id', 'currency_name', 'scale', 'direction', 'seconds'].map(
    (name) => `c.${name}`,
  ),
  ...['stake', 'fee', 'ratio', 'profits', 'policy_id', 'open_tick_id'].map((name) => `c.${name}::text`),
  ...['state', 'open_price', 'end_price', 'result'].map((name) => `c.${name}`),
  'c.end_tick_ids::text[]',
  ...TIMES.map((name) => `round(extract(epoch from c.${name}) * 1000)::bigint as ${name}`),
].join(', ');

const msOf = (value: string | null): number | null => (value === null ? null : Number(value));

export const contractOf = (row: StoredContract): Contract => ({
  id: row.id,
  userId: Number(row.user_id),
  matchId: row.match_id,
  symbol: row.symbol,
  priceScale: row.price_scale,
  currencyId: row.currency_id,
  currencyName: row.currency_name,
  scale: row.scale,
  direction: row.direction,
  seconds: row.seconds,
  stake: toUnits(row.stake, row.scale),
  fee: toUnits(row.fee, row.scale),
  ratio: toUnits(row.ratio, PERCENT_SCALE),
  policyId: row.policy_id,
  state: row.state,
  acceptedAt: msOf(row.accepted_at),
  openTickId: row.open_tick_id === null ? null : BigInt(row.open_tick_id),
  openTime: msOf(row.open_time),
  openPrice: row.open_price,
  expireTime: msOf(row.expire_time),
  endTickIds: row.end_tick_ids.map(BigInt),
  endPrice: row.end_price,
  result: row.result,
  profits: toUnits(row.profits, row.scale),
  handledAt: msOf(row.handled_at),
});
