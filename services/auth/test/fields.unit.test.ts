import { expect, test } from '@jest/globals';
import { fieldsThatKeepHiddenCharacters } from '@bourse/testing';
import * as fields from '../src/shared/http/fields.js';

const COMPARED =
  'account alipay_collect area_code country_code email extension_code front_pic hand_pic id key keyword mobile ' +
  'password re_password repassword reverse_pic user_string username wechat_collect';

test('only fields that are compared or looked up keep hidden characters [HARD-506]', () => {
  expect(fieldsThatKeepHiddenCharacters(fields)).toEqual(COMPARED.split(' '));
});
