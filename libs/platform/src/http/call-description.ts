import { z } from 'zod';
import type { Notice, Raw, Reply } from './refused.js';

/** A schema of a value that an answer carries: zod, of the contract or of the service that answers. */
export type Schema<T = unknown> = z.core.$ZodType<T>;
/** Fields beside `message` in an answer. */
export type Beside = Readonly<Record<string, Schema>>;

/** The form of a call's answer. `R` is the result type of its handler: another type does not compile. */
export interface Answered<R> {
  readonly message?: Schema;
  readonly beside?: Beside;
  /** Keys of the texts that the message is one of; absent: the message is no text of ours. */
  readonly notices?: readonly string[];
  /** An answer without the envelope: its content type, other types that it may have, and its shape if it is JSON. */
  readonly file?: { readonly contentType: string; readonly others?: readonly string[]; readonly schema?: Schema };
  /** Never set: binds the type. */
  readonly returned?: (result: R) => void;
}

/** The description of a call: for people, the interface documents and generated clients. */
export interface CallDescription<R = unknown> {
  readonly summary: string;
  /** Suffix of the call's name in generated clients, where the name would equal that of another call. */
  readonly suffix?: string;
  readonly answer: Answered<R>;
  /** Keys of refusals beyond those of its fields and of every call (api §1.5), in the order of their checks. */
  readonly refuses?: readonly string[];
  /** The body where it is not made of fields alone: an upload. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The message is what the handler returns. */
export const message = <T>(schema: Schema<T>, beside?: Beside): Answered<T> =>
  beside === undefined ? { message: schema } : { message: schema, beside };
/** The message is a translated text; `key` says which. */
export const notice = (keys: string | readonly string[], beside: Beside = {}): Answered<Notice> => ({
  notices: typeof keys === 'string' ? [keys] : keys,
  beside,
});
/** A message with fields beside it. */
export const reply = (schema: Schema, beside: Beside = {}): Answered<Reply> => ({ message: schema, beside });
/** Outside the envelope. */
export const file = (contentType: string, ...others: readonly string[]): Answered<Raw> => ({
  file: { contentType, others },
});
/** JSON outside the envelope. */
export const plainJson = (schema: Schema): Answered<Raw> => ({ file: { contentType: 'application/json', schema } });
/** The shape `{code, msg, data}` of `/upi` and `/walletMiddle` (api §3). */
export const coded = (data: Schema): Answered<Raw> =>
  plainJson(z.object({ code: z.int(), msg: z.string(), data: z.nullable(data as z.ZodType) }));
/** Pages as api §1.7 shapes them. */
export const dataPage = <T>(item: Schema<T>): Schema<{ data: T[] } & Paging & { total: number }> =>
  z.object({ data: z.array(item as z.ZodType<T>), ...PAGING, total: z.int() });
export const listPage = <T>(item: Schema<T>): Schema<{ list: T[] } & Paging & { count: number }> =>
  z.object({ list: z.array(item as z.ZodType<T>), ...PAGING, count: z.int() });
interface Paging {
  page: number;
  page_size: number;
  has_more: 0 | 1;
}
const PAGING = { page: z.int(), page_size: z.int(), has_more: z.literal([0, 1]) };
