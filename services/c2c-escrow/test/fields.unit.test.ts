import { expect, test } from '@jest/globals';
import { fieldsThatKeepHiddenCharacters } from '@bourse/testing';
import * as acceptors from '../src/adapters/http/acceptor-fields.js';
import * as appeals from '../src/adapters/http/appeal-fields.js';
import * as deals from '../src/adapters/http/c2c-fields.js';
import * as shops from '../src/adapters/http/shop-fields.js';

test('only fields that are compared or looked up keep hidden characters [HARD-506]', () => {
  expect(fieldsThatKeepHiddenCharacters(acceptors, appeals, deals, shops)).toEqual([
    'address',
    'image',
    'password',
    'pic',
    'proof',
    'proof_pic',
    'url',
  ]);
});
