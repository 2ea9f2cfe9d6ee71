import { expect, test } from '@jest/globals';
import { fieldsThatKeepHiddenCharacters } from '@bourse/testing';
import * as complaints from './complaint-fields.js';

test('fields that other people read as names or sentences keep no hidden characters [HARD-506]', () => {
  expect(fieldsThatKeepHiddenCharacters(complaints)).toEqual([]);
});
