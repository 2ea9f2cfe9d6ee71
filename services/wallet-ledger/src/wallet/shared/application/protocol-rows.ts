import { CHAINS, decimalText, flag } from '@bourse/contract';
import type { Units } from '@bourse/money';
import { CatalogBody, Column, decimal, flag as flagColumn, integer, texts, type Texts } from '@bourse/settings';
import * as z from 'zod/mini';
import { FEE_RATE_SCALE } from './settings.js';

/* The operators' view of networks, and the fields that they may change (api §2.12, rules §8, §15). */

/** Scale of a network's amounts; its coin may have fewer decimals. */
export const PROTOCOL_SCALE = 8;
/** The watcher keeps a hundred blocks: a deposit must be confirmed before its block is dropped. */
const CONFIRMATIONS_MAX = 100;
/** A note to depositors, by language. */
export const NOTE = texts({ max: 2_000 });
const amount = decimal({ scale: PROTOCOL_SCALE, max: '1000' });

export const catalogProtocol = z.object({
  id: z.int(),
  currency_id: z.int(),
  chain: z.enum(CHAINS),
  type: z.string(),
  name: z.string(),
  contract_address: z.string(),
  is_memo: flag,
  min_number: decimalText,
  rate: decimalText,
  min_deposit: decimalText,
  confirmations: z.int(),
  open_deposit: flag,
  open_withdraw: flag,
  /** JSON object of texts by language; empty: the exchange's own text. */
  note: z.string(),
});
export type CatalogProtocol = z.output<typeof catalogProtocol>;
export class ProtocolBody extends CatalogBody {
  @Column(amount, { guarded: true }) minNumber?: Units | undefined;
  @Column(decimal({ scale: FEE_RATE_SCALE, max: '5' }), { guarded: true }) rate?: Units | undefined;
  @Column(amount, { guarded: true }) minDeposit?: Units | undefined;
  @Column(integer({ min: 3, max: CONFIRMATIONS_MAX }), { guarded: true }) confirmations?: number | undefined;
  @Column(flagColumn(), { guarded: true }) openDeposit?: boolean | undefined;
  @Column(flagColumn(), { guarded: true }) openWithdraw?: boolean | undefined;
  @Column(NOTE, { guarded: false }) note?: Texts | undefined;
}
