import { describe, expect, test } from '@jest/globals';
import { interpolate } from './interpolate.js';
import { LANGUAGES } from '@bourse/contract';
import { LOCALES } from './locales.js';
import { translate } from './translate.js';

describe('texts', () => {
  test('places are filled and unknown ones stay visible [I18N-001]', () => {
    expect(interpolate('{{a}} of {{ b }}, {{c}}', { a: 1, b: 'two' })).toBe('1 of two, {{c}}');
  });

  test('an unknown language reads English and an unknown key reads as itself [I18N-002]', () => {
    expect(translate('xx', 'nav.spot')).toBe(translate('en', 'nav.spot'));
    expect(translate('en', 'no.such.key')).toBe('no.such.key');
  });

  test('every language names tags that Intl knows, and only Arabic runs right to left [I18N-003]', () => {
    for (const code of LANGUAGES) {
      const { intlTag, pluralTag, dir } = LOCALES[code];
      expect(Intl.DateTimeFormat.supportedLocalesOf([intlTag])).toEqual([intlTag]);
      expect(Intl.PluralRules.supportedLocalesOf([pluralTag])).toEqual([pluralTag]);
      expect(dir).toBe(code === 'ar' ? 'rtl' : 'ltr');
    }
  });
});
