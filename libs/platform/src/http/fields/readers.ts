import { codeCharacters, hasHiddenCharacters, shownText, writtenTime } from '@bourse/contract';
import { DECIMAL_PATTERN, parseAmount, type Units } from '@bourse/money';
import { parseList, Unreadable, type FieldRecord } from '../body.js';
import { Refused } from '../refused.js';

/** A field as OpenAPI shows it (a JSON schema of one value). */
export type FieldSchema = Readonly<Record<string, unknown>>;

/** Reads the text of one field into what a use case receives. */
export interface Reader<V> {
  /** `text` is undefined when the field is absent or empty. @throws Refused with one of `keys`. */
  read(text: string | undefined, field: string): V;
  readonly schema: FieldSchema;
  /** Keys with which it may refuse. */
  readonly keys: readonly string[];
}

export interface ListRule extends FieldRule {
  readonly max: number;
}
/** A list of flat objects, at least one and at most `max`; each is read by fields of its own. */
export function itemsReader({ max, key = INVALID }: ListRule, item: FieldSchema): Reader<readonly FieldRecord[]> {
  return {
    read(text, field) {
      if (text === undefined) throw refuse(REQUIRED, field);
      const list = listIn(text, key, field);
      const items = list.filter((one) => typeof one !== 'string');
      if (items.length !== list.length || items.length === 0 || items.length > max) throw refuse(key, field);
      return items;
    },
    schema: { type: 'array', items: item, minItems: 1, maxItems: max },
    keys: [REQUIRED, key],
  };
}
/** A list of texts, at most `max`; by commas in a form. */
export function textsReader({ max, key = INVALID }: ListRule): Reader<readonly string[]> {
  return {
    read(text, field) {
      if (text === undefined) throw refuse(REQUIRED, field);
      const list = text.startsWith('[') ? listIn(text, key, field) : text.split(',');
      const texts = list.filter((one) => typeof one === 'string' && one !== '');
      if (texts.length !== list.length || texts.length > max) throw refuse(key, field);
      return texts as string[];
    },
    schema: { type: 'array', items: { type: 'string' }, maxItems: max },
    keys: [REQUIRED, key],
  };
}
function listIn(text: string, key: string, field: string): readonly (FieldRecord | string)[] {
  try {
    return parseList(text);
  } catch (error) {
    if (error instanceof Unreadable) throw refuse(key, field);
    throw error;
  }
}

/** The options that every word of the vocabulary takes. */
export interface FieldRule {
  /** Name on the wire; absent: the property's name in snake case (`clientOrderId` is `client_order_id`). */
  readonly field?: string;
  /** An older name of the same field; it is read where the first one is absent. */
  readonly or?: string;
  /** Key of the refusal; each word has a default. */
  readonly key?: string;
  /** Key where the field is absent; absent: `key`. */
  readonly missing?: string;
  /** The field may be absent; its property is undefined then. */
  readonly optional?: boolean;
  /** An empty text is a value too; absent: it counts as an absent field. */
  readonly empty?: boolean;
  /** Checked on first access by the use case: after a rule that needs the catalog or the state. */
  readonly late?: boolean;
  /** One sentence for the reader of the OpenAPI document. */
  readonly about?: string;
}

/** A refusal that names its field. */
export const refuse = (key: string, field: string): Refused => new Refused(key, { field }, { field });

const REQUIRED = 'common.fieldRequired';
const INVALID = 'common.fieldInvalid';
/** Key where a field is absent. */
const missingKeyOf = ({ missing, key }: FieldRule): string => missing ?? key ?? REQUIRED;

export interface IntegerRule extends FieldRule {
  readonly min?: number;
  readonly max?: number;
}
/**
 * An integer without sign, at most 16 digits and below 2^53. Refused with `key`; by default `common.fieldRequired` when
 * absent and `common.fieldInvalid` otherwise.
 */
export function integerReader(rule: IntegerRule): Reader<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, key = INVALID } = rule;
  const missing = missingKeyOf(rule);
  return {
    read(text, field) {
      if (text === undefined) throw refuse(missing, field);
      const value = INTEGER.test(text) ? Number(text) : Number.NaN;
      if (!(value >= min && value <= max)) throw refuse(key, field);
      return value;
    },
    schema: { type: 'integer', minimum: min, maximum: max },
    keys: [missing, key],
  };
}

export interface RowIdRule extends FieldRule {
  readonly min?: number;
  /** The greatest id that its column holds; absent: every integer that can be sent. */
  readonly column?: number;
}
/** An id that no row can have. */
const NO_ROW = -1;
/**
 * Id of a row, as an integer. An id beyond the range of its column is read as `NO_ROW`: a lookup by it finds nothing,
 * and a list is empty. Any other text is refused as by `integerReader`.
 */
export function rowIdReader({ column = Number.MAX_SAFE_INTEGER, ...rule }: RowIdRule): Reader<number> {
  const integer = integerReader(rule);
  return {
    ...integer,
    read(text, field) {
      if (text !== undefined && DIGITS.test(text) && Number(text) > column) return NO_ROW;
      return integer.read(text, field);
    },
  };
}

export interface TextRule extends FieldRule {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
}
/**
 * Whether tools of other languages read a pattern as ours do: few know classes of Unicode properties, and one that does
 * not refuses the whole document.
 */
const isPortable = ({ source }: RegExp): boolean => !/\\p\{/i.test(source);

/**
 * A text whose length counts characters. Missing: `key`; too short, too long or of another pattern: `key`, or
 * `common.fieldInvalid` where the call names none.
 */
export function textReader(rule: TextRule): Reader<string> {
  const { min = 1, max = 1_000, pattern, key = INVALID } = rule;
  const missing = missingKeyOf(rule);
  return {
    read(text, field) {
      if (text === undefined) throw refuse(missing, field);
      const length = text.length <= max && ASCII.test(text) ? text.length : [...text].length;
      if (length < min || length > max || (pattern && !pattern.test(text))) throw refuse(key, field);
      return text;
    },
    schema: {
      type: 'string',
      minLength: min,
      maxLength: max,
      ...(pattern && isPortable(pattern) ? { pattern: pattern.source } : {}),
    },
    keys: [missing, key],
  };
}

/**
 * A name that another person reads: a text without hidden characters. Those are `common.fieldInvalid`, whatever key the
 * call has for a missing one (api §1.4) [HARD-506].
 */
export function nameReader(rule: TextRule): Reader<string> {
  const { read, schema, keys } = textReader(rule);
  return {
    read(text, field) {
      if (text !== undefined && hasHiddenCharacters(text)) throw refuse(INVALID, field);
      return read(text, field);
    },
    schema,
    keys: keys.at(-1) === INVALID ? keys : [...keys, INVALID],
  };
}

/**
 * Text that a person writes to other people, without its hidden characters and the blanks at its ends. They are dropped
 * and not refused, because some keyboards send them unasked [HARD-506]. Missing: a text of which nothing shows
 * [FIELDS-011].
 */
export function proseReader(rule: TextRule): Reader<string> {
  const { read, schema, keys } = textReader(rule);
  return {
    read(text, field) {
      const shown = text === undefined ? '' : shownText(text);
      return read(shown === '' ? undefined : shown, field);
    },
    schema,
    keys,
  };
}

/**
 * A one-time code that must be there; blanks and hyphens do not belong to it (api §1.4) [CLIENT-202]. Missing or of
 * another length: as a text.
 */
export function codeReader(rule: TextRule): Reader<string> {
  const { read, schema, keys } = textReader(rule);
  return { read: (text, field) => read(codeOf(text), field), schema: { type: schema['type'] }, keys };
}

/** The same where it may be absent; the use case checks it. */
export function givenCodeReader(): Reader<string | undefined> {
  return { ...givenReader(), read: codeOf };
}
function codeOf(text: string | undefined): string | undefined {
  const code = text === undefined ? '' : codeCharacters(text);
  return code === '' ? undefined : code;
}

/** One of fixed words, each with the value that the code knows it by. Keys as of an integer. */
export function wordReader<V>(words: Readonly<Record<string, V>>, rule: FieldRule): Reader<V> {
  const { key = INVALID } = rule;
  const missing = missingKeyOf(rule);
  const values = new Map(Object.entries(words));
  return {
    read(text, field) {
      if (text === undefined) throw refuse(missing, field);
      if (!values.has(text)) throw refuse(key, field);
      return values.get(text) as V;
    },
    schema: [...values.keys()].every((name) => INTEGER.test(name))
      ? { type: 'integer', enum: [...values.keys()].map(Number) }
      : { type: 'string', enum: [...values.keys()] },
    keys: [missing, key],
  };
}

/**
 * Id of an order, a deal, a journal: decimal text. One that cannot exist is `key`, by default `common.notFound`; an
 * absent one is `common.fieldRequired`.
 */
export function idReader(rule: FieldRule): Reader<string> {
  const { key = 'common.notFound', missing = REQUIRED, optional = false } = rule;
  return {
    read(text, field) {
      if (text === undefined) throw refuse(missing, field);
      if (ID.test(text) && BigInt(text) <= ID_MAX) return text;
      // An optional id chooses rows of a list.
      if (optional && DIGITS.test(text)) return String(NO_ROW);
      throw refuse(key, field);
    },
    schema: { type: 'string', pattern: ID.source },
    keys: [missing, key],
  };
}

/** A flag of the contract, 0 or 1. Keys as of an integer. */
export function flagReader(rule: FieldRule): Reader<boolean> {
  const { key = INVALID } = rule;
  const missing = missingKeyOf(rule);
  return {
    read(text, field) {
      if (text === '1') return true;
      if (text === '0') return false;
      throw refuse(text === undefined ? missing : key, field);
    },
    schema: { type: 'integer', enum: [0, 1] },
    keys: [missing, key],
  };
}

/** A time of the contract, `YYYY-MM-DD HH:mm:ss` in UTC, as unix milliseconds. */
export function timeReader(rule: FieldRule): Reader<number> {
  const { key = INVALID } = rule;
  const missing = missingKeyOf(rule);
  return {
    read(text, field) {
      if (text === undefined) throw refuse(missing, field);
      const at = TIME.test(text) ? Date.parse(`${text.replace(' ', 'T')}Z`) : Number.NaN;
      // A day that does not exist, as 30 February, would be read as one of the next month.
      if (Number.isNaN(at) || writtenTime(at) !== text) throw refuse(key, field);
      return at;
    },
    schema: { type: 'string', pattern: TIME.source },
    keys: [missing, key],
  };
}

export interface AmountRule extends FieldRule {
  /** Key when there are more decimals than the scale; absent: `common.fieldInvalid` {field, scale} (api §6.3). */
  readonly scaleKey?: string;
  /** Zero is an amount too; absent: refused with `key`. */
  readonly zero?: boolean;
}

/**
 * An amount or a price as it was written. Its scale belongs to a coin or a pair of the catalog, so the use case
 * converts it to units when it knows the scale, and the refusal comes then, in its place of the order (rules §12).
 */
export class WrittenAmount {
  constructor(
    /** Undefined when the field is absent or empty. */
    readonly text: string | undefined,
    readonly field: string,
    private readonly rule: AmountRule,
  ) {}

  /**
   * Units of `scale`. @throws Refused: `key` when missing (`common.fieldRequired` without one), ungrammatical or zero
   * (`common.fieldInvalid` without one); `common.fieldInvalid` for a sign or an exponent; the scale's key with more
   * decimals than `scale`.
   */
  units(scale: number): Units {
    const { key = INVALID, scaleKey = INVALID, zero = false } = this.rule;
    const { text, field } = this;
    const parsed = parseAmount(text, scale);
    if (!parsed.ok) {
      if (parsed.fault === 'scale') throw new Refused(scaleKey, { field, scale }, { field });
      if (parsed.fault === 'notation') throw refuse(INVALID, field);
      throw refuse(text === undefined ? missingKeyOf(this.rule) : key, field);
    }
    if (parsed.units === 0n && !zero) throw refuse(key, field);
    return parsed.units;
  }
}
export function amountReader(rule: AmountRule): Reader<WrittenAmount> {
  const { key = INVALID, scaleKey = INVALID } = rule;
  return {
    read: (text, field) => new WrittenAmount(text, field, rule),
    schema: { type: 'string', pattern: DECIMAL_PATTERN.source },
    keys: [...new Set([...(rule.optional ? [] : [missingKeyOf(rule)]), key, INVALID, scaleKey])],
  };
}

/** A text as it was sent, whatever it is: checked by the use case, or compared with something (a password, a code). */
export function givenReader(): Reader<string | undefined> {
  return { read: (text) => text, schema: { type: 'string' }, keys: [] };
}

const INTEGER = /^(0|[1-9]\d{0,15})$/;
/** Digits of a number of any size. */
const DIGITS = /^[1-9]\d{0,39}$/;
/** Ids of orders, deals and journals have 63 bits; a larger one cannot exist. */
const ID_MAX = 2n ** 63n - 1n;
const ID = /^(0|[1-9]\d{0,18})$/;
const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const ASCII = /^[\x20-\x7e]*$/;
