import { expect, test } from '@jest/globals';
import { fieldsThatKeepHiddenCharacters } from '@bourse/testing';
import * as addresses from '../../src/wallet/addresses/application/fields.js';
import * as balances from '../../src/wallet/balances/application/fields.js';
import * as chains from '../../src/wallet/chains/application/fields.js';
import * as deposits from '../../src/wallet/deposits/application/fields.js';
import * as reports from '../../src/wallet/reports/application/fields.js';
import * as shared from '../../src/wallet/shared/application/fields.js';
import * as withdrawals from '../../src/wallet/withdrawals/application/fields.js';

test('only fields that are compared or looked up keep hidden characters [HARD-506]', () => {
  expect(fieldsThatKeepHiddenCharacters(addresses, balances, chains, deposits, reports, shared, withdrawals)).toEqual(
    'address coin_name contract_address data keywords memo password pay_password signature type user_id'.split(' '),
  );
});
