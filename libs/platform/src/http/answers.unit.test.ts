import { describe, expect, test } from '@jest/globals';
import { translate } from '@bourse/i18n';
import { accepted, refusalOf, refused } from './answers.js';
import { Unreadable } from './body.js';
import { readAmount, readFlag, readId, readInteger, readOneOf, readPage, readText } from './fields.js';
import { languageOf } from './language.js';
import { Notice, Refused, Reply } from './refused.js';
import { Unavailable } from './unavailable.js';

const context = { requestId: 'r1', lang: 'en' };
const keyOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) return [error.key, error.params];
    throw error;
  }
};

describe('envelope', () => {
  test('plain messages, notices and replies [EDGE-010]', () => {
    expect(accepted([1], context)).toEqual({ type: 'ok', message: [1], request_id: 'r1' });
    expect(accepted(undefined, context)).toEqual({ type: 'ok', message: null, request_id: 'r1' });
    expect(accepted(new Notice('common.success', { id: '7' }), { ...context, commandId: 'c' })).toEqual({
      type: 'ok',
      message: translate('en', 'common.success'),
      key: 'common.success',
      id: '7',
      command_id: 'c',
      request_id: 'r1',
    });
    expect(accepted(new Reply('token', { id: 1 }), context)).toEqual({
      type: 'ok',
      message: 'token',
      id: 1,
      request_id: 'r1',
    });
  });

  test.each([
    ['auth.expired', '999', 200],
    ['fund.notSet', 'not', 200],
    ['fund.required', '996', 200],
    ['fund.mustReset', '996', 200],
    ['kyc.required', '998', 200],
    ['pay.missing', '997', 200],
    ['balance.insufficient', 'error', 200],
    ['common.processing', 'pending', 202],
    ['common.badRequest', 'error', 400],
    ['apikey.signature', 'error', 401],
    ['common.forbidden', 'error', 403],
    ['common.noRoute', 'error', 404],
    ['common.noMethod', 'error', 405],
    ['common.tooLarge', 'error', 413],
    ['common.mediaType', 'error', 415],
    ['common.tooMany', 'error', 429],
    ['common.defect', 'error', 500],
    ['common.unavailable', 'error', 503],
    ['market.paused', 'error', 503],
  ])('%s is %s with status %i [EDGE-010]', (key, type, status) => {
    const answer = refused(new Refused(key, key === 'common.tooMany' ? { seconds: 3 } : {}), context);
    expect([answer.body['type'], answer.status]).toEqual([type, status]);
    expect(answer.headers['retry-after']).toBe(key === 'common.tooMany' ? '3' : status === 503 ? '1' : undefined);
    expect(answer.body['message']).not.toBe(key);
  });

  test('errors become refusals by their status; a defect tells nothing [EDGE-010]', () => {
    expect(refusalOf(new Unreadable('x'))?.key).toBe('common.badRequest');
    expect(refusalOf(Object.assign(new Error('x'), { statusCode: 413 }))?.key).toBe('common.tooLarge');
    expect(refusalOf(Object.assign(new Error('x'), { getStatus: () => 404 }))?.key).toBe('common.noRoute');
    expect(refusalOf(new Unavailable('redis'))?.key).toBe('common.unavailable');
    expect(refusalOf(new Error('secret detail'))).toBeNull();
  });
});

describe('fields', () => {
  test('amounts: grammar and zero by the given key, decimals by theirs [EDGE-011]', () => {
    expect(keyOf(() => readAmount({ a: '1.5' }, 'a', 2, 'k'))).toBe(150n);
    for (const bad of [undefined, '', '0', '0.00', '-1', '+1', '1e3', '01', '1.', ' 1', '1,0', '0x1', 'NaN'])
      expect(keyOf(() => readAmount({ a: bad }, 'a', 2, 'k'))).toEqual(['k', { field: 'a' }]);
    expect(keyOf(() => readAmount({ a: '1.555' }, 'a', 2, 'k'))).toEqual([
      'common.fieldInvalid',
      { field: 'a', scale: 2 },
    ]);
    expect(keyOf(() => readAmount({ a: '1.555' }, 'a', 2, 'k', { scaleKey: 's' }))).toEqual([
      's',
      { field: 'a', scale: 2 },
    ]);
    expect(keyOf(() => readAmount({ a: '0' }, 'a', 2, 'k', { zero: true }))).toBe(0n);
  });

  test('integers are never converted from something else [EDGE-011]', () => {
    expect(keyOf(() => readInteger({ a: '12' }, 'a'))).toBe(12);
    for (const bad of ['-1', '1.0', '1e2', '01', ' 1', 'true', '9007199254740993', '99999999999999999'])
      expect(keyOf(() => readInteger({ a: bad }, 'a'))).toEqual(['common.fieldInvalid', { field: 'a' }]);
    expect(keyOf(() => readInteger({}, 'a'))).toEqual(['common.fieldRequired', { field: 'a' }]);
    expect(keyOf(() => readInteger({ a: '3' }, 'a', 'k', { max: 2 }))).toEqual(['k', { field: 'a' }]);
  });

  test('texts, words, ids, flags and pages [EDGE-011]', () => {
    expect(keyOf(() => readText({ a: 'ab' }, 'a', 'k', { min: 2, max: 2 }))).toBe('ab');
    expect(keyOf(() => readText({ a: 'abc' }, 'a', undefined, { max: 2 }))).toEqual([
      'common.fieldInvalid',
      { field: 'a' },
    ]);
    expect(keyOf(() => readOneOf({ a: 'x' }, 'a', ['y']))).toEqual(['common.fieldInvalid', { field: 'a' }]);
    expect(keyOf(() => readId({ a: '12' }, 'a'))).toBe('12');
    expect(keyOf(() => readId({ a: '1x' }, 'a'))).toEqual(['common.notFound', { field: 'a' }]);
    expect([keyOf(() => readFlag({ a: '1' }, 'a')), keyOf(() => readFlag({}, 'a', false))]).toEqual([true, false]);
    expect(keyOf(() => readFlag({ a: 'true' }, 'a'))).toEqual(['common.fieldInvalid', { field: 'a' }]);
    expect(readPage({ page: '3', limit: '10' }, 20)).toEqual({ page: 3, size: 10, offset: 20 });
    expect(readPage({}, 20)).toEqual({ page: 1, size: 20, offset: 0 });
    for (const bad of [{ page: '0' }, { page: '1001' }, { limit: '101' }, { page_size: '0' }, { page: 'x' }])
      expect(keyOf(() => readPage(bad, 20))).toEqual(['common.fieldInvalid', { field: Object.keys(bad)[0] }]);
  });
});

test('language: header, stored, accepted, English [EDGE-013]', () => {
  expect(languageOf({ lang: 'de', 'accept-language': 'fr' }, 'it')).toBe('de');
  expect(languageOf({ lang: 'xx', 'accept-language': 'fr' }, 'it')).toBe('it');
  expect(languageOf({ 'accept-language': 'xx, fr-CH;q=0.5, ja;q=0.9' })).toBe('jp');
  expect(languageOf({ 'accept-language': 'zh-TW' })).toBe('hk');
  expect(languageOf({ 'accept-language': 'zh-CN,en;q=0.5' })).toBe('zh');
  expect(languageOf({})).toBe('en');
});
