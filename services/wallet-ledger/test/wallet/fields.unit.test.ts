import { expect, test } from '@jest/globals';
import { fieldsThatKeepHiddenCharacters } from '@bourse/testing';
import * as fields from '../../src/wallet/shared/application/fields.js';

test('only fields that are compared or looked up keep hidden characters [HARD-506]', () => {
  expect(fieldsThatKeepHiddenCharacters(fields)).toEqual(
    'address coin_name contract_address data keywords memo password pay_password signature type user_id'.split(' '),
  );
});
