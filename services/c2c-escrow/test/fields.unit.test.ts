import { expect, test } from '@jest/globals';
import { fieldsThatKeepHiddenCharacters } from '@bourse/testing';
import * as acceptors from '../src/acceptors/http/fields.js';
import * as appeals from '../src/appeals/http/fields.js';
import * as chat from '../src/chat/http/fields.js';
import * as deals from '../src/deals/http/fields.js';
import * as shops from '../src/shops/http/fields.js';

test('only compared or looked-up fields keep hidden characters [HARD-506]', () => {
  expect(fieldsThatKeepHiddenCharacters(acceptors, appeals, chat, deals, shops)).toEqual([
    'address',
    'image',
    'password',
    'pic',
    'proof',
    'proof_pic',
    'url',
  ]);
});
