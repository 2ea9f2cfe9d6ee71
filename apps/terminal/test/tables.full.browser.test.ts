import { expect, test, type Person } from '@bourse/web/testing';
import { checkTables, personWithRows, TABLE_WIDTHS } from './tables.js';

let person: Person;
test.beforeAll(async () => {
  person = await personWithRows();
});
for (const [locale, theme] of [
  ['en', 'dark'],
  ['de', 'white'],
  ['ar', 'dark'],
] as const)
  test(`no figure of a table of any product is cut, covered or out of line, in ${locale} [FIG-005]`, async () => {
    expect(await checkTables(person, locale, TABLE_WIDTHS, theme)).toEqual({});
  });
