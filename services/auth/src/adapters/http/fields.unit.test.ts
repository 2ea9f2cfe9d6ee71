import { expect, test } from '@jest/globals';
import { fieldsThatKeepHiddenCharacters } from '@bourse/testing';
import * as fields from './fields.js';

test('fields that other people read as names or sentences keep no hidden characters: only what is compared or looked up does [HARD-506]', () => {
  expect(fieldsThatKeepHiddenCharacters(fields)).toEqual(
    'account alipay_collect area_code country_code email extension_code front_pic hand_pic id key keyword mobile password re_password repassword reverse_pic user_string username wechat_collect'.split(
      ' ',
    ),
  );
});
