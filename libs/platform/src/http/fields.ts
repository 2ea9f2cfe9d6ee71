import { parseAmount, type Units } from '@bourse/money';
import { present, type FieldRecord } from './body.js';
import type { Page } from './fields/vocabulary.js';
import { Refused } from './refused.js';

/*
 * Readers of request fields. Each throws `Refused` with the key of its call, so the order in which a handler calls them is the order
 * of rules §12. An empty text counts as absent.
 */

export interface AmountOptions {
  /** Key when there are more decimals than the scale; absent: `common.fieldInvalid` {field, scale} (api §6.3). */
  readonly scaleKey?: string;
  /** Zero is an amount too; absent: refused with `key`. */
  readonly zero?: boolean;
}

/** A positive amount or price in units of `scale`. Missing, ungrammatical or zero: `key`. */
export function readAmount(
  fields: FieldRecord,
  name: string,
  scale: number,
  key = 'common.fieldInvalid',
  { scaleKey, zero = false }: AmountOptions = {},
): Units {
  const parsed = parseAmount(present(fields, name), scale);
  if (!parsed.ok) {
    if (parsed.fault === 'scale')
      throw new Refused(scaleKey ?? 'common.fieldInvalid', { field: name, scale }, { field: name });
    throw new Refused(key, { field: name }, { field: name });
  }
  if (parsed.units === 0n && !zero) throw new Refused(key, { field: name }, { field: name });
  return parsed.units;
}

export interface IntegerOptions {
  readonly min?: number;
  readonly max?: number;
}

/** An integer without sign, at most 16 digits and below 2^53. */
export function readInteger(
  fields: FieldRecord,
  name: string,
  key = 'common.fieldInvalid',
  { min = 0, max = Number.MAX_SAFE_INTEGER }: IntegerOptions = {},
): number {
  const text = present(fields, name);
  const value = text !== undefined && INTEGER.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new Refused(
      text === undefined && key === 'common.fieldInvalid' ? 'common.fieldRequired' : key,
      { field: name },
      { field: name },
    );
  return value;
}

/** As `readInteger`; undefined when absent. */
export function readOptionalInteger(
  fields: FieldRecord,
  name: string,
  key = 'common.fieldInvalid',
  options: IntegerOptions = {},
): number | undefined {
  return present(fields, name) === undefined ? undefined : readInteger(fields, name, key, options);
}

export interface TextOptions {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
}

/**
 * A text that must be there; its length counts characters. Missing: `key`; too short, too long or of another pattern:
 * `common.fieldInvalid`, or `key` when it is not the default.
 */
export function readText(
  fields: FieldRecord,
  name: string,
  key = 'common.fieldRequired',
  { min = 1, max = 1_000, pattern }: TextOptions = {},
): string {
  const text = present(fields, name);
  if (text === undefined) throw new Refused(key, { field: name }, { field: name });
  const length = [...text].length;
  if (length < min || length > max || (pattern && !pattern.test(text)))
    throw new Refused(key === 'common.fieldRequired' ? 'common.fieldInvalid' : key, { field: name }, { field: name });
  return text;
}

/** As `readText`; undefined when absent. */
export function readOptionalText(
  fields: FieldRecord,
  name: string,
  key = 'common.fieldInvalid',
  options: TextOptions = {},
): string | undefined {
  return present(fields, name) === undefined ? undefined : readText(fields, name, key, options);
}

/** One of a fixed list of words. */
export function readOneOf<const W extends string>(
  fields: FieldRecord,
  name: string,
  words: readonly W[],
  key = 'common.fieldInvalid',
): W {
  const text = present(fields, name);
  if (text === undefined || !(words as readonly string[]).includes(text))
    throw new Refused(
      text === undefined && key === 'common.fieldInvalid' ? 'common.fieldRequired' : key,
      { field: name },
      { field: name },
    );
  return text as W;
}

/**
 * Id of an order, a deal, a journal: decimal text. One that cannot exist reads as `key`, absent by default as
 * `common.fieldRequired`.
 */
export function readId(fields: FieldRecord, name: string, key = 'common.notFound'): string {
  const text = present(fields, name);
  if (text === undefined) throw new Refused('common.fieldRequired', { field: name }, { field: name });
  if (!/^(0|[1-9]\d{0,18})$/.test(text)) throw new Refused(key, { field: name }, { field: name });
  return text;
}

/** A flag of the contract, 0 or 1. */
export function readFlag(fields: FieldRecord, name: string, fallback?: boolean, key = 'common.fieldInvalid'): boolean {
  const text = present(fields, name);
  if (text === undefined && fallback !== undefined) return fallback;
  if (text !== '0' && text !== '1') throw new Refused(key, { field: name }, { field: name });
  return text === '1';
}

/** A time of the contract, `YYYY-MM-DD HH:mm:ss` in UTC, in ms; undefined when absent. */
export function readOptionalTime(fields: FieldRecord, name: string, key = 'common.fieldInvalid'): number | undefined {
  const text = present(fields, name);
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text) ? Date.parse(`${text.replace(' ', 'T')}Z`) : Number.NaN;
  if (Number.isNaN(at)) throw new Refused(key, { field: name }, { field: name });
  return at;
}

/** `page` 1..1000 and `limit` or `page_size` 1..100 (api §1.7). */
export function readPage(fields: FieldRecord, defaultSize: number): Page {
  const page = readOptionalInteger(fields, 'page', 'common.fieldInvalid', { min: 1, max: 1_000 }) ?? 1;
  const sizeName = present(fields, 'limit') === undefined ? 'page_size' : 'limit';
  const size = readOptionalInteger(fields, sizeName, 'common.fieldInvalid', { min: 1, max: 100 }) ?? defaultSize;
  return { page, size, offset: (page - 1) * size };
}

const INTEGER = /^(0|[1-9]\d{0,15})$/;
