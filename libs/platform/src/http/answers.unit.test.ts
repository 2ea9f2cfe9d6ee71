import { describe, expect, test } from '@jest/globals';
import { translate } from '@bourse/i18n';
import { accepted, refusalOf, refused } from './answers.js';
import { Unreadable } from './body.js';
import { languageOf } from './language.js';
import { Notice, Refused, Reply } from './refused.js';
import { Unavailable } from './unavailable.js';

const context = { requestId: 'r1', lang: 'en' };
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

  test('errors become refusals by their status; a defect reveals nothing [EDGE-010]', () => {
    expect(refusalOf(new Unreadable('x'))?.key).toBe('common.badRequest');
    expect(refusalOf(Object.assign(new Error('x'), { statusCode: 413 }))?.key).toBe('common.tooLarge');
    expect(refusalOf(Object.assign(new Error('x'), { getStatus: () => 404 }))?.key).toBe('common.noRoute');
    expect(refusalOf(new Unavailable('redis'))?.key).toBe('common.unavailable');
    expect(refusalOf(new Error('secret detail'))).toBeNull();
    // A statement that was never sent, as the driver, its pool and TypeORM report it.
    for (const driverError of [
      Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
      new Error('Client has encountered a connection error and is not queryable'),
      new Error('timeout exceeded when trying to connect'),
    ])
      for (const error of [driverError, Object.assign(new Error('QueryFailedError'), { driverError })])
        expect(refusalOf(error)?.key).toBe('common.unavailable');
    // One that was on its way may have been done.
    expect(refusalOf(new Error('Connection terminated unexpectedly'))).toBeNull();
  });

  test.each([
    ['40001', 'a serialization failure'],
    ['40P01', 'a deadlock'],
    ['55P03', 'a lock that was not free in time'],
    ['57014', 'a statement that took too long'],
  ])('a call whose transaction the database undid (%s, %s) is unavailable, no defect [EDGE-067]', (code) => {
    const driverError = Object.assign(new Error('canceling statement'), { code });
    for (const error of [driverError, Object.assign(new Error('QueryFailedError'), { driverError })])
      expect(refusalOf(error)?.key).toBe('common.unavailable');
    expect(refusalOf(Object.assign(new Error('a broken rule'), { code: '23505' }))).toBeNull();
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
