import { expect, test } from '@jest/globals';
import { fieldsThatKeepHiddenCharacters } from '@bourse/testing';
import * as points from '../src/points/http/fields.js';
import * as team from '../src/team/http/fields.js';

test('only fields that are compared or looked up keep hidden characters [HARD-506]', () => {
  expect(fieldsThatKeepHiddenCharacters(points, team)).toEqual(['password']);
});
