import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { errorRows } from './reference.js';

const markdown = readFileSync(new URL('../../../docs/api/errors.md', import.meta.url), 'utf8');

test('the page of error keys has every key of the list, with its text and its calls [API-041]', () => {
  const rows = errorRows(markdown);
  expect(rows.length).toBe(markdown.split('\n').filter((line) => line.startsWith('| `')).length);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((cells) => cells.length !== 3)).toEqual([]);
  expect(rows.find(([key]) => key === '`acceptor.quota`')?.[2]).toContain('`POST /api/acceptor/deal`');
});
