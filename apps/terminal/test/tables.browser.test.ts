import { expect, test } from '@bourse/web/testing';
import { checkTables, personWithRows } from './tables.js';

test('no figure of a table of any product is cut, covered or out of line at 1440 px [FIG-004]', async () => {
  expect(await checkTables(await personWithRows(), 'en', [1440])).toEqual({});
});
