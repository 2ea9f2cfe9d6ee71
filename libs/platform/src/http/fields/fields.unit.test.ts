import { expect, test } from '@jest/globals';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { Refused } from '../refused.js';
import type { FieldRecord } from '../body.js';
import { declaredFields, UnderKey, type FieldsClass } from './declared.js';
import { inOrder, readFields } from './read.js';
import {
  amountReader,
  flagReader,
  idReader,
  integerReader,
  rowIdReader,
  textReader,
  WrittenAmount,
} from './readers.js';
import {
  Amount,
  Default,
  Flag,
  Given,
  Id,
  Integer,
  Means,
  OneOf,
  PageOf,
  Prose,
  readReason,
  Reason,
  Text,
  Time,
  type Page,
} from './vocabulary.js';

const COLOURS = ['red', 'green'] as const;

class Sample {
  @Integer('pair.delisted', { field: 'legal_id' }) quoteId!: number;
  @Text({ max: 5, pattern: /^[a-zé]+$/u }) label!: string;
  @Means({ 1: 'buy', 2: 'sell' }, { field: 'type' }) side!: 'buy' | 'sell';
  @OneOf(COLOURS, { optional: true }) colour?: (typeof COLOURS)[number];
  @Flag('trade.flags', { optional: true }) postOnly?: boolean;
  @Id({ field: 'order_id', optional: true }) orderId?: string;
  @Time({ optional: true }) from?: number;
  @Given({ or: 'country_code' }) areaCode?: string;
  @Default(5, integerReader({ min: 1, max: 9 })) depth!: number;
  @Amount('wallet.numberRequired') amount!: WrittenAmount;
  @PageOf(20) page!: Page;
}
const GOOD = { legal_id: '3', label: 'abc', type: '2', amount: '1.50' };

function refusalOf(read: () => unknown): Refused {
  try {
    read();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
const keyOf = (read: () => unknown): string => refusalOf(read).key;

test('a record becomes the properties of its class [FIELDS-001]', () => {
  const read = readFields(Sample, { ...GOOD, country_code: '49', from: '2026-01-02 03:04:05', limit: '7', page: '3' });
  expect(read).toBeInstanceOf(Sample);
  expect(read).toMatchObject({
    quoteId: 3,
    label: 'abc',
    side: 'sell',
    areaCode: '49',
    depth: 5,
    from: Date.UTC(2026, 0, 2, 3, 4, 5),
    page: { page: 3, size: 7, offset: 14 },
  });
  expect(read.colour).toBeUndefined();
  expect(read.amount.units(2)).toBe(150n);
});

test('the first field that fails answers, in the order of declaration [FIELDS-002]', () => {
  expect(keyOf(() => readFields(Sample, { label: '', type: '9' }))).toBe('pair.delisted');
  const second = refusalOf(() => readFields(Sample, { legal_id: '3', label: '', type: '9' }));
  expect(second).toMatchObject({
    key: 'common.fieldRequired',
    params: { field: 'label' },
    options: { field: 'label' },
  });
  expect(keyOf(() => readFields(Sample, { ...GOOD, label: 'toolong' }))).toBe('common.fieldInvalid');
  expect(refusalOf(() => readFields(Sample, { ...GOOD, post_only: '2' }))).toMatchObject({
    key: 'trade.flags',
    options: { field: 'post_only' },
  });
  expect(refusalOf(() => readFields(Sample, { ...GOOD, page_size: '101' })).options.field).toBe('page_size');
});

test('an amount is refused where it is converted to its scale [FIELDS-003]', () => {
  const { amount } = readFields(Sample, { ...GOOD, amount: '1.505' });
  expect(refusalOf(() => amount.units(2))).toMatchObject({ key: 'common.fieldInvalid', params: { scale: 2 } });
  expect(keyOf(() => readFields(Sample, { ...GOOD, amount: '0' }).amount.units(2))).toBe('wallet.numberRequired');
  expect(keyOf(() => readFields(Sample, { ...GOOD, amount: '01' }).amount.units(2))).toBe('wallet.numberRequired');
  for (const amount of ['1e3', '-1'])
    expect(refusalOf(() => readFields(Sample, { ...GOOD, amount }).amount.units(2))).toMatchObject({
      key: 'common.fieldInvalid',
      params: { field: 'amount' },
    });
});

test('texts that are no amount are refused by the key, more decimals than the scale by theirs [EDGE-011]', () => {
  const units = (text: string | undefined, rule = {}) =>
    amountReader({ key: 'k', ...rule })
      .read(text, 'a')
      .units(2);
  expect(units('1.5')).toBe(150n);
  expect(units('1.5000')).toBe(150n);
  for (const bad of [undefined, '', '0', '0.00', '01', '1.', ' 1', '1,0', '0x1', 'NaN'])
    expect(keyOf(() => units(bad))).toBe('k');
  for (const bad of ['-1', '+1', '1e3', '1E-3', '-0']) expect(keyOf(() => units(bad))).toBe('common.fieldInvalid');
  expect(refusalOf(() => units('1.555'))).toMatchObject({ key: 'common.fieldInvalid', params: { scale: 2 } });
  expect(keyOf(() => units('1.555', { scaleKey: 's' }))).toBe('s');
  expect(units('0', { zero: true })).toBe(0n);
});

test('an absent field is refused as required, unless its call has one key for all [FIELDS-008]', () => {
  const absent = (reader: { read(text: undefined, field: string): unknown }): unknown => {
    const refused = refusalOf(() => {
      const value = reader.read(undefined, 'a');
      if (value instanceof WrittenAmount) value.units(2);
    });
    return [refused.key, refused.options.field];
  };
  for (const reader of [amountReader, flagReader, idReader, integerReader, rowIdReader, textReader]) {
    expect(absent(reader({}))).toEqual(['common.fieldRequired', 'a']);
    expect(absent(reader({ key: 'k', missing: 'm' }))).toEqual(['m', 'a']);
  }
  for (const reader of [amountReader, flagReader, integerReader, textReader])
    expect(absent(reader({ key: 'k' }))).toEqual(['k', 'a']);
});

test('a time on a day that does not exist is refused [FIELDS-010]', () => {
  for (const from of ['2026-02-30 10:00:00', '2026-02-29 00:00:00', '2026-01-01 24:00:00', '2026-13-01 00:00:00'])
    expect(keyOf(() => readFields(Sample, { ...GOOD, from }))).toBe('common.fieldInvalid');
  expect(readFields(Sample, { ...GOOD, from: '2024-02-29 00:00:00' }).from).toBe(Date.UTC(2024, 1, 29));
});

test('nothing is converted from something else [EDGE-011]', () => {
  const integer = integerReader({ max: 9_007_199_254_740_991 });
  expect(integer.read('12', 'a')).toBe(12);
  for (const bad of ['-1', '1.0', '1e2', '01', ' 1', 'true', '9007199254740993', '99999999999999999'])
    expect(keyOf(() => integer.read(bad, 'a'))).toBe('common.fieldInvalid');
  expect(keyOf(() => integer.read(undefined, 'a'))).toBe('common.fieldRequired');
  expect(keyOf(() => textReader({ max: 2 }).read('abc', 'a'))).toBe('common.fieldInvalid');
  expect(keyOf(() => idReader({}).read('1x', 'a'))).toBe('common.notFound');
  expect(keyOf(() => flagReader({}).read('true', 'a'))).toBe('common.fieldInvalid');
  for (const bad of [{ page: '0' }, { page: '1001' }, { limit: '101' }, { page_size: '0' }, { page: 'x' }])
    expect(refusalOf(() => readFields(Sample, { ...GOOD, ...bad })).options.field).toBe(Object.keys(bad)[0]);
});

test('an id that no row can have is read as one that is not found [CLIENT-120]', () => {
  const [row, narrow, id] = [rowIdReader({ min: 1 }), rowIdReader({ column: 2 ** 31 - 1 }), idReader({})];
  expect(narrow.read('2147483647', 'a')).toBe(2_147_483_647);
  for (const beyond of ['2147483648', '9007199254740991', '9007199254740993', '9223372036854775808', '9'.repeat(40)])
    expect(narrow.read(beyond, 'a')).toBe(-1);
  expect(row.read('9007199254740991', 'a')).toBe(Number.MAX_SAFE_INTEGER);
  for (const beyond of ['9007199254740993', '9223372036854775808']) expect(row.read(beyond, 'a')).toBe(-1);
  for (const bad of ['0', '-1', '1.0', '01', '9'.repeat(41), 'x'])
    expect(keyOf(() => row.read(bad, 'a'))).toBe('common.fieldInvalid');
  expect(id.read('9223372036854775807', 'a')).toBe('9223372036854775807');
  for (const beyond of ['9223372036854775808', '99999999999999999999'])
    expect([keyOf(() => id.read(beyond, 'a')), idReader({ optional: true }).read(beyond, 'a')]).toEqual([
      'common.notFound',
      '-1',
    ]);
});

test('an empty text is a value where its field declares it, and an absent field otherwise [FIELDS-007]', () => {
  class Emptied {
    @Text({ min: 0, empty: true }) value!: string;
    @Text({ optional: true }) other?: string;
  }
  expect(readFields(Emptied, { value: '', other: '' })).toMatchObject({ value: '', other: undefined });
  expect(refusalOf(() => readFields(Emptied, { other: 'x' }))).toMatchObject({ key: 'common.fieldRequired' });
});

class LateSample {
  @Integer() first!: number;
  @Integer('late.key', { late: true }) second!: number;
  @Integer() third!: number;
}
@UnderKey()
class KeyedSample extends LateSample {}

test('a late field and a class under its key refuse on first access [FIELDS-004]', () => {
  const late = readFields(LateSample, { first: '1', third: '3' });
  expect(late.third).toBe(3);
  expect(keyOf(() => late.second)).toBe('late.key');
  const keyed = readFields(KeyedSample, { first: 'x', second: '2', third: 'y' });
  expect(keyed.second).toBe(2);
  expect(refusalOf(() => inOrder(keyed)).options.field).toBe('first');
  expect(inOrder(readFields(KeyedSample, { first: '1', third: '3' })).third).toBe(3);
});

test('a name of Object is no field that was sent [FIELDS-005]', () => {
  class Odd {
    @Given({ field: 'constructor' }) given?: string;
  }
  expect(readFields(Odd, Object.create(null) as FieldRecord).given).toBeUndefined();
});

/** The verdict of class-validator on the same texts, by walking over the same metadata. */
function refusedByValidator(type: FieldsClass, record: FieldRecord): string | undefined {
  const instance = new (type as new () => object)() as Record<string, unknown>;
  for (const { property, parts } of declaredFields(type))
    instance[property] = parts.length === 1 ? record[parts[0]?.name ?? ''] : record;
  const failed = new Set(validateSync(instance).map((error) => error.property));
  return declaredFields(type).find(({ property }) => failed.has(property))?.property;
}

test('the compiled reader refuses the same texts as class-validator [FIELDS-006]', () => {
  const text = fc.oneof(fc.constantFrom('', '0', '1', '2', '3', 'red', 'abc', '2026-01-01 00:00:00'), fc.string());
  const record = fc.record(
    {
      legal_id: text,
      label: text,
      type: text,
      colour: text,
      post_only: text,
      order_id: text,
      from: text,
      depth: text,
      page: text,
      limit: text,
    },
    { requiredKeys: [] },
  );
  let refused = 0;
  fc.assert(
    fc.property(record, fc.boolean(), (sent, good) => {
      const fields = Object.assign(Object.create(null), sent, good ? GOOD : {}) as FieldRecord;
      const expected = refusedByValidator(Sample, fields);
      let actual: string | undefined;
      try {
        readFields(Sample, fields);
      } catch (error) {
        const { options } = error as Refused;
        actual = declaredFields(Sample).find(({ parts }) => parts.some(({ name }) => name === options.field))?.property;
      }
      if (expected !== undefined) refused += 1;
      expect(actual).toBe(expected);
    }),
    { numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(50);
});

class Words {
  @Reason() reason!: string;
  @Prose({ min: 3, max: 8 }) text!: string;
}
const words = (reason: string, text: string): Words => readFields(Words, { reason, text });

test('a text to other people has no hidden characters and no blanks at its ends [FIELDS-011]', () => {
  expect(words('\u200b late  papers \u2060', ' \u00adhello\u200b ')).toMatchObject({
    reason: 'late  papers',
    text: 'hello',
  });
});

test.each(['\u200b\u200b\u200b', '   ', ' \u200b \u2060 ', '\u200d\u200c\ufe0f'])(
  'a text of which nothing shows is missing: %j [FIELDS-011]',
  (text) => {
    expect(refusalOf(() => words('because', text))).toMatchObject({ key: 'common.fieldRequired' });
    expect(keyOf(() => readReason(text.repeat(3)))).toBe('admin.reason');
  },
);

test('an obligatory reason has five to five hundred characters that show [FIELDS-011]', () => {
  expect(readReason(' papers\u200b ')).toBe('papers');
  for (const text of [undefined, '', '1234', '  1234\u200b  ', '1234\u200d', 'x'.repeat(501)])
    expect([text, keyOf(() => readReason(text))]).toEqual([text, 'admin.reason']);
  expect(readReason('12345')).toBe('12345');
  expect(readReason(` ${'x'.repeat(500)} `)).toHaveLength(500);
});
