import { expect, test } from '@jest/globals';
import { fieldsThatKeepHiddenCharacters } from '@bourse/testing';
import * as fields from './fields.js';

test('fields that other people read as names or sentences keep no hidden characters: only what is compared or looked up does [HARD-506]', () => {
  expect(fieldsThatKeepHiddenCharacters(fields)).toEqual(
    'address coin_name contract_address data keywords memo password pay_password signature type user_id'.split(' '),
  );
});
