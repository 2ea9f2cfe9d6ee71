import { expect, test } from '@jest/globals';
import { fieldsThatKeepHiddenCharacters } from '@bourse/testing';
import * as identity from '../src/identity/http/fields.js';
import * as operators from '../src/operators/http/fields.js';
import * as profile from '../src/profile/http/fields.js';
import * as security from '../src/security/http/fields.js';
import * as shared from '../src/shared/http/fields.js';
import * as signIn from '../src/sign-in/http/fields.js';

const COMPARED =
  'account alipay_collect area_code country_code email extension_code front_pic hand_pic id key keyword mobile ' +
  'password re_password repassword reverse_pic submitted_at user_string username wechat_collect';

test('only fields that are compared or looked up keep hidden characters [HARD-506]', () => {
  const kept = fieldsThatKeepHiddenCharacters(identity, operators, profile, security, shared, signIn);
  expect(kept).toEqual(COMPARED.split(' '));
});
