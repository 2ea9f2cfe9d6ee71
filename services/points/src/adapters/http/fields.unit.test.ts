import { expect, test } from '@jest/globals';
import { fieldsThatKeepHiddenCharacters } from '@bourse/testing';
import * as points from './points-fields.js';
import * as team from './team-fields.js';

test('fields that other people read as names or sentences keep no hidden characters: only what is compared or looked up does [HARD-506]', () => {
  expect(fieldsThatKeepHiddenCharacters(points, team)).toEqual(['password']);
});
