import { shownLength, shownText } from '@bourse/contract';
import { present, type FieldRecord } from '../body.js';
import { Refused } from '../refused.js';
import { declare, type DeclaredField, type FieldOf } from './declared.js';
import {
  amountReader,
  codeReader,
  flagReader,
  givenCodeReader,
  givenReader,
  idReader,
  integerReader,
  rowIdReader,
  nameReader,
  proseReader,
  textReader,
  timeReader,
  wordReader,
  type AmountRule,
  type FieldRule,
  type IntegerRule,
  type Reader,
  type RowIdRule,
  type TextRule,
  type WrittenAmount,
} from './readers.js';

/*
 * The words in which bodies and queries are declared. Each is a decorator of class-validator that carries the message
 * key, the bounds and the OpenAPI schema; the order of declaration is the order of refusal, and the first failure
 * answers (rules §12). A key of the call's own is the first argument: `@Amount('wallet.numberRequired')`.
 */

/** The value of a word under a rule: undefined too where the field is optional. */
type Given<V, R> = R extends { readonly optional: true } ? V | undefined : V;
/** A word: `@Word()`, `@Word('key')`, `@Word({ rule })` or `@Word('key', { rule })`. */
interface Word<V, R extends FieldRule> {
  <const O extends R>(rule: O): FieldOf<Given<V, O>>;
  <const O extends R = object & R>(key?: string, rule?: O): FieldOf<Given<V, O>>;
}

function word<V, R extends FieldRule>(reader: (rule: R) => Reader<V>): Word<V, R> {
  return ((first?: string | R, second?: R) => {
    const rule = (typeof first === 'string' ? { ...second, key: first } : (first ?? second ?? {})) as R;
    return field(reader(rule), rule);
  }) as Word<V, R>;
}

/** Makes a decorator from a custom reader: for fields of one service (a password, a candle's period). */
export function Field<V, const R extends FieldRule = FieldRule>(
  reader: Reader<V>,
  rule: R = {} as R,
): FieldOf<Given<V, R>> {
  return field(reader, rule);
}

function field<V>(reader: Reader<V>, rule: FieldRule, mayBeAbsent = false): FieldOf<V> {
  return declare<V>((property) => {
    const name = rule.field ?? snakeCase(property);
    const { or, optional = false, empty = false } = rule;
    const late = rule.late ?? false;
    const keys = optional ? reader.keys.slice(-1) : reader.keys;
    const required = !optional && !mayBeAbsent && reader.keys.length > 0;
    const schema = rule.about === undefined ? reader.schema : { ...reader.schema, description: rule.about };
    const read: DeclaredField['read'] = (record) => {
      let from = name;
      let text = empty ? record[name] : present(record, name);
      if (text === undefined && or !== undefined) {
        text = present(record, or);
        if (text !== undefined) from = or;
      }
      return text === undefined && optional ? undefined : reader.read(text, from);
    };
    const parts = [{ name, schema, required }, ...(or === undefined ? [] : [{ name: or, schema, required: false }])];
    return { property, parts, late, keys, read };
  });
}

/** An integer without sign. */
export const Integer = word<number, IntegerRule>(integerReader);
/** Id of a person, an ad or another row; one that no row can have is not found. */
export const RowId = word<number, RowIdRule>(rowIdReader);
const CATALOG_ID_MAX = 2 ** 31 - 1;
/** Id of a row of the catalog, whose columns hold 32 bits; a larger one is not found. */
export const CatalogId = word<number, RowIdRule>((rule) => rowIdReader({ column: CATALOG_ID_MAX, ...rule }));
/** A text that must be there. */
export const Text = word<string, TextRule>(textReader);
/** A name, or another short text that other people read as one: without hidden characters. */
export const Name = word<string, TextRule>(nameReader);
/** Sentences that other people read; hidden characters are dropped. */
export const Prose = word<string, TextRule>(proseReader);
/** A one-time code, without the blanks and hyphens that were copied with it. */
export const Code = word<string, TextRule>(codeReader);
/** Id of an order, a deal, a journal: decimal text. */
export const Id = word<string, FieldRule>(idReader);
/** 0 or 1. */
export const Flag = word<boolean, FieldRule>(flagReader);
/** A time of the contract, in unix milliseconds. */
export const Time = word<number, FieldRule>(timeReader);
/** An amount or a price; `units(scale)` refuses in its place of the order, when the scale is known. */
export const Amount = word<WrittenAmount, AmountRule>(amountReader);
/** A text as it was sent, undefined when absent; the use case checks it. */
export const Given = word<string | undefined, FieldRule>(givenReader);

/** A one-time code, undefined when absent; the use case checks it. */
export const GivenCode = word<string | undefined, FieldRule>(givenCodeReader);

/** One of fixed words. */
export function OneOf<const W extends string, const R extends FieldRule = FieldRule>(
  words: readonly W[],
  rule: R = {} as R,
): FieldOf<Given<W, R>> {
  return field(wordReader(Object.fromEntries(words.map((each) => [each, each])) as Record<W, W>, rule), rule);
}

/** One of fixed words of the wire, each with the value that the code knows: `@Means({ 1: BUY, 2: SELL })`. */
export function Means<const V, const R extends FieldRule = FieldRule>(
  words: Readonly<Record<string, V>>,
  rule: R = {} as R,
): FieldOf<Given<V, R>> {
  return field(wordReader(words, rule), rule);
}

/** As another word, with a value for the absent field. */
export function Default<V>(value: V, reader: Reader<V>, rule: FieldRule = {}): FieldOf<V> {
  const { schema } = reader;
  return field<V>(
    {
      read: (text, name) => (text === undefined ? value : reader.read(text, name)),
      schema: typeof value === 'object' || value === '' ? schema : { ...schema, default: shown(value) },
      keys: reader.keys.slice(-1),
    },
    { ...rule, optional: false },
    true,
  );
}
const shown = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

export interface Page {
  readonly page: number;
  readonly size: number;
  readonly offset: number;
}
const PAGE = integerReader({ min: 1, max: 1_000 });
const SIZE = integerReader({ min: 1, max: 100 });

/** `page` 1..1000 and `limit` or `page_size` 1..100, by default `size` (api §1.7). */
export function PageOf(size: number): FieldOf<Page> {
  return declare<Page>((property) => ({
    property,
    parts: [
      { name: 'page', schema: { ...PAGE.schema, default: 1 }, required: false },
      { name: 'limit', schema: { ...SIZE.schema, default: size }, required: false },
      { name: 'page_size', schema: { ...SIZE.schema, default: size }, required: false },
    ],
    late: false,
    keys: ['common.fieldInvalid'],
    read(record) {
      const given = present(record, 'page');
      const page = given === undefined ? 1 : PAGE.read(given, 'page');
      const name = present(record, 'limit') === undefined ? 'page_size' : 'limit';
      const wanted = present(record, name);
      const read = wanted === undefined ? size : SIZE.read(wanted, name);
      return { page, size: read, offset: (page - 1) * read };
    },
  }));
}

/** Which rows of a list, by their `ts`. */
export interface Period {
  /** Unix ms, both inclusive; absent: without this bound. */
  readonly from?: number;
  readonly to?: number;
}
/** Which rows of a list, and in which order. */
export interface Span extends Period {
  readonly order: 'asc' | 'desc';
}
const INSTANT = integerReader({});
const DIRECTION = wordReader({ asc: 'asc', desc: 'desc' } as const, {});
const PERIOD_PARTS = ['from', 'to'].map((name) => ({
  name,
  schema: { ...INSTANT.schema, description: 'Unix milliseconds, inclusive' },
  required: false,
}));

function readPeriod(record: FieldRecord): Period {
  const [from, to] = ['from', 'to'].map((name) => present(record, name));
  return {
    ...(from === undefined ? {} : { from: INSTANT.read(from, 'from') }),
    ...(to === undefined ? {} : { to: INSTANT.read(to, 'to') }),
  };
}

/** `from` and `to`, unix ms, both inclusive (api §1.7). */
export function PeriodOf(): FieldOf<Period> {
  return declare<Period>((property) => ({
    property,
    parts: PERIOD_PARTS,
    late: false,
    keys: ['common.fieldInvalid'],
    read: readPeriod,
  }));
}

/** `from` and `to` (unix ms, both inclusive) and `order` `asc` or `desc`, by default the newest first (api §1.7). */
export function SpanOf(): FieldOf<Span> {
  return declare<Span>((property) => ({
    property,
    parts: [
      ...PERIOD_PARTS,
      {
        name: 'order',
        schema: { ...DIRECTION.schema, default: 'desc', description: 'By time, then by sequence' },
        required: false,
      },
    ],
    late: false,
    keys: ['common.fieldInvalid'],
    read(record) {
      const period = readPeriod(record);
      const order = present(record, 'order');
      return { ...period, order: order === undefined ? 'desc' : DIRECTION.read(order, 'order') };
    },
  }));
}

const REASON_LENGTH = { min: 5, max: 500 } as const;

/**
 * The reason that an operator must give, as the trail shows it: only what others can read counts (api §2.12). Throws
 * `admin.reason` [FIELDS-011].
 */
export function readReason(text: string | undefined): string {
  const shown = shownText(text ?? '');
  if (shownLength(shown) < REASON_LENGTH.min || shown.length > REASON_LENGTH.max)
    throw new Refused('admin.reason', REASON_LENGTH, { field: 'reason' });
  return shown;
}

/** Why an operator does it; the edge has checked it by `readReason` before (api §2.12). */
export const Reason = (): FieldOf<string> =>
  field(
    {
      read: (text) => shownText(text ?? ''),
      schema: { type: 'string', minLength: REASON_LENGTH.min, maxLength: REASON_LENGTH.max },
      keys: ['admin.reason'],
    },
    { field: 'reason' },
  );

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
