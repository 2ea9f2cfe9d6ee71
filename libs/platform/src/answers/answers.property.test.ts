import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Notice, Refused, Reply } from '../http/refused.js';
import { answerFromText, answerOf, given, givenNotice, keptText, recordOf, type FinalAnswer } from './index.js';

const key = fc.constantFrom('trade.success', 'balance.insufficient', 'wallet.state', 'common.notFound');
const params = fc.dictionary(fc.constantFrom('min', 'field', 'seconds'), fc.oneof(fc.string(), fc.integer()));
const extra = fc.dictionary(fc.constantFrom('id', 'order', 'repeated'), fc.jsonValue());
const refusal = fc
  .record({
    key,
    params,
    type: fc.constantFrom('error' as const, '996' as const, '997' as const, '998' as const, 'not' as const),
    field: fc.option(fc.constantFrom('number', 'id'), { nil: undefined }),
    extra: fc.option(extra, { nil: undefined }),
  })
  .map(
    (given) =>
      new Refused(given.key, given.params, {
        type: given.type,
        ...(given.field === undefined ? {} : { field: given.field }),
        ...(given.extra === undefined ? {} : { extra: given.extra }),
      }),
  );
const answers: fc.Arbitrary<FinalAnswer> = fc.oneof(
  refusal,
  fc.tuple(key, extra, params).map(([name, fields, values]) => new Notice(name, fields, values)),
  fc.tuple(fc.jsonValue(), extra).map(([message, fields]) => new Reply(message, fields)),
);
/** The visible part of an answer. */
const seen = (answer: FinalAnswer): unknown =>
  JSON.parse(JSON.stringify({ kind: answer.constructor.name, ...answer })) as unknown;

describe('one converter of answers', () => {
  test('an answer keeps every field on its way between services [SAGA-001]', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const told = JSON.parse(JSON.stringify(recordOf(answer))) as ReturnType<typeof recordOf>;
        expect(seen(answerOf(told))).toEqual(seen(answer));
      }),
    );
  });

  test('an answer keeps every field in its table [SAGA-001]', () => {
    fc.assert(fc.property(answers, (answer) => expect(seen(answerFromText(keptText(answer)))).toEqual(seen(answer))));
  });

  test('a row that an earlier version has kept still yields its answer [SAGA-001]', () => {
    expect(answerFromText('{"kind":"notice","key":"trade.cancelled","extra":{"id":"42"}}')).toEqual(
      new Notice('trade.cancelled', { id: '42' }),
    );
    const refused = answerFromText('{"kind":"refused","key":"trade.notOpen","params":{"state":"filled"},"options":{}}');
    expect(seen(refused)).toEqual(seen(new Refused('trade.notOpen', { state: 'filled' })));
  });

  test('a refusal is thrown to a caller of the accepted answer', () => {
    expect(() => given({ type: 'error', key: 'balance.insufficient' })).toThrow(Refused);
    expect(() => givenNotice({ type: 'ok', message: 'plain' })).toThrow('invariant');
    expect(givenNotice({ type: 'ok', key: 'trade.success' })).toBeInstanceOf(Notice);
  });

  test('a request to wait is recorded as an error: only final answers are kept', () => {
    expect(recordOf(new Refused('common.processing')).type).toBe('error');
    expect(recordOf(new Refused('auth.expired')).type).toBe('error');
  });
});
