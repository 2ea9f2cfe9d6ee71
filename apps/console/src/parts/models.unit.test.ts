import { describe, expect, test } from '@jest/globals';
import { changedOf, problemsOf, sentOf } from './act-model.js';
import { cellOf, csvOf } from './csv.js';
import { changesOf, unchangedOf } from './diff-model.js';
import { textsIn, textsWritten, withText } from './texts-model.js';
import { readLargePage, walkPages } from './list-file.js';
import {
  compareValues,
  fieldsOf,
  pageOf,
  partOf,
  rowAfter,
  rowsWith,
  sorted,
  withFilter,
  withPart,
} from './list-model.js';

describe('the file of a list [CONSOLE-302]', () => {
  /** A list of so many rows, as a call gives it by pages of 100. */
  const listOf = (total: number) => (page: number) => {
    const data = Array.from({ length: Math.min(100, total - (page - 1) * 100) }, (_, at) => (page - 1) * 100 + at);
    return Promise.resolve({ data, page, page_size: 100, total, has_more: page * 100 < total ? 1 : 0 });
  };

  test('holds the rows of all pages, each once, and shows its progress', async () => {
    const told: string[] = [];
    const { rows, total } = await walkPages(listOf(250), String, { onRows: (done, of) => told.push(`${done}/${of}`) });
    expect([rows.length, new Set(rows).size, total]).toEqual([250, 250, 250]);
    expect(told).toEqual(['100/250', '200/250', '250/250']);
    // A new row came while the pages were read: the last of the first page is the first of the second too.
    const moved = (page: number) =>
      Promise.resolve({ data: [page, page + 1], page, page_size: 2, total: 4, has_more: page < 3 ? 1 : 0 });
    expect((await walkPages(moved, String)).rows).toEqual([1, 2, 3, 4]);
  });

  test('ends at its limit and names the number beyond it; a plain array is whole', async () => {
    const { rows, total } = await walkPages(listOf(6_000), String);
    expect([rows.length, total]).toEqual([5_000, 6_000]);
    expect(await walkPages(() => Promise.resolve([3, 4]), String)).toEqual({ rows: [3, 4], total: 2 });
  });

  test('stops on demand', async () => {
    const work = new AbortController();
    const walk = walkPages(listOf(500), String, {
      signal: work.signal,
      onRows: (done) => {
        if (done === 200) work.abort();
      },
    });
    await expect(walk).rejects.toThrow();
  });
});

describe('lists [CONSOLE-004]', () => {
  test('a page of more rows than a call gives is read by several calls, each row once [CONSOLE-326]', async () => {
    const asked: number[] = [];
    const read = (page: number) => {
      asked.push(page);
      // One row came meanwhile: the last of each part is the first of the next.
      const data = Array.from({ length: 100 }, (_, at) => (page - 1) * 99 + at);
      return Promise.resolve({ data, page, page_size: 100, total: 1_100, has_more: page < 11 ? 1 : 0 });
    };
    const second = await readLargePage(read, String, { page: 2, size: 500 });
    expect(asked).toEqual([6, 7, 8, 9, 10]);
    expect([second.page, second.page_size, second.data.length, new Set(second.data).size]).toEqual([2, 500, 496, 496]);
    expect(pageOf(second, 2)).toMatchObject({ page: 2, pages: 3, hasMore: true });
    asked.length = 0;
    expect((await readLargePage(read, String, { page: 3, size: 500 })).has_more).toBe(0);
    expect(asked).toEqual([11]);
    expect(await readLargePage(() => Promise.resolve([1, 2]), String, { page: 1, size: 500 })).toEqual([1, 2]);
  });

  test('read pages and plain arrays alike', () => {
    const page = pageOf({ data: [1, 2], page: 2, page_size: 2, total: 5, has_more: 1 }, 2);
    expect(page).toEqual({ rows: [1, 2], page: 2, pages: 3, size: 2, total: 5, hasMore: true });
    expect(pageOf([1, 2, 3], 2, 2)).toEqual({ rows: [3], page: 2, pages: 2, size: 2, total: 3, hasMore: false });
    expect(pageOf([], 7).page).toBe(1);
  });

  test('put amounts in order by their size, however many digits they have, and leave the rows they were given', () => {
    const rows = ['10.5', '-2', '9.25', '123456789012345678.01', '123456789012345678.009'];
    expect(sorted(rows, false, (row) => row)).toEqual([
      '-2',
      '9.25',
      '10.5',
      '123456789012345678.009',
      '123456789012345678.01',
    ]);
    expect(sorted(rows, true, (row) => row)[0]).toBe('123456789012345678.01');
    expect(rows[0]).toBe('10.5');
    expect(compareValues('ada', 'bob')).toBeLessThan(0);
  });

  test('read by the filter of the address, and restart with another filter', () => {
    const search = new URLSearchParams('state=waiting&to=2026-11-24&page=3&other=1');
    const filters = [
      { name: 'state' },
      { name: 'to', sent: (day: string) => `${day} 23:59:59` },
      { name: 'other', here: true },
    ];
    expect(fieldsOf(search, filters)).toEqual({ state: 'waiting', to: '2026-11-24 23:59:59', page: 3 });
    expect(fieldsOf(new URLSearchParams('page=-1&limit=1000'), filters)).toEqual({ page: undefined });
    expect(fieldsOf(new URLSearchParams('limit=100'), filters)).toEqual({ page: undefined, limit: 100 });
    expect(withFilter(search, 'state', '').toString()).toBe('to=2026-11-24&other=1');
  });

  test('of several lists on a screen each has its own part of the address', () => {
    const search = new URLSearchParams('page=2&account=h.fees&moves.page=3&moves.limit=20');
    const own = partOf(search, 'moves');
    expect([own.toString(), partOf(search, undefined).toString()]).toEqual(['page=3&limit=20', search.toString()]);
    own.set('page', '4');
    expect(withPart(search, 'moves', own).toString()).toBe('page=2&account=h.fees&moves.page=4&moves.limit=20');
    expect(withPart(search, undefined, own).toString()).toBe('page=4&limit=20');
  });

  test('rows are found by all words, whatever their case', () => {
    const rows = ['Ada Lovelace', 'Grace Hopper', 'Ada Yonath'];
    const found = (words: string) => rowsWith(rows, words, (row) => row);
    expect(found(' ada  LOVE')).toEqual(['Ada Lovelace']);
    expect([found(''), found('ada hopper')]).toEqual([rows, []]);
  });

  test('keys stay inside the rows', () => {
    expect([rowAfter('j', 0, 2), rowAfter('ArrowDown', 1, 2), rowAfter('k', 0, 2)]).toEqual([1, 1, 0]);
    expect([rowAfter('x', 0, 2), rowAfter('j', 0, 0)]).toEqual([undefined, undefined]);
  });
});

test('a file keeps formulas from being computed, and numbers as they are [CONSOLE-008]', () => {
  expect(['=1+1', '+49 30', '-2.5', '+1', 'a"b', '@x', '\t=x'].map(cellOf)).toEqual([
    `"'=1+1"`,
    `"'+49 30"`,
    '-2.5',
    '+1',
    '"a""b"',
    `"'@x"`,
    `"'\t=x"`,
  ]);
  expect(csvOf(['a', 'b'], [['1', 'x,y']])).toBe('\uFEFFa,b\r\n1,"x,y"\r\n');
});

test('an action needs a reason, sends flags as 1 and 0, and omits empty fields [CONSOLE-009]', () => {
  const fields = [
    { name: 'amount', label: '', kind: 'amount', required: true },
    { name: 'open', label: '', kind: 'flag' },
    { name: 'note', label: '', kind: 'long' },
  ] as const;
  expect(problemsOf(fields, { amount: '1,5', reason: ' a  ' })).toEqual({
    amount: 'act.amount',
    reason: 'act.reasonShort',
  });
  expect(problemsOf(fields, { amount: '-1.5', reason: 'as agreed' })).toEqual({});
  expect(sentOf(fields, { amount: ' 1.5 ', open: '1', note: ' ', reason: ' as agreed ' })).toEqual({
    amount: '1.5',
    open: '1',
    reason: 'as agreed',
  });
});

test('a change of a row sends only changed fields, a cleared text as the empty one [CONSOLE-300]', () => {
  const fields = [
    { name: 'website', label: '', kind: 'text' },
    { name: 'logo', label: '', kind: 'text' },
    { name: 'open', label: '', kind: 'flag' },
    { name: 'note', label: '', kind: 'texts' },
  ] as const;
  const before = { website: 'https://a.example', logo: 'a.png', open: '1', note: '{"en":"Hello"}' };
  expect(changedOf(fields, { ...before, reason: 'as agreed' }, before)).toBeUndefined();
  expect(changedOf(fields, { ...before, website: ' ', reason: ' as agreed ' }, before)).toEqual({
    website: '',
    reason: 'as agreed',
  });
  const changed = { ...before, open: '0', note: withText(before.note, 'en', ''), reason: 'as agreed' };
  expect(changedOf(fields, changed, before)).toEqual({ open: '0', note: '', reason: 'as agreed' });
});

test('a text in several languages is the same JSON however it came to be [CONSOLE-300]', () => {
  const written = withText(withText('', 'zh', '你好'), 'en', 'Hello\nall');
  expect(written).toBe('{"en":"Hello\\nall","zh":"你好"}');
  expect(withText(withText(written, 'en', ''), 'zh', '')).toBe('');
  expect(textsWritten(textsIn('{"zh":"你好","en":"Hello","xx":"?","tr":""}'))).toBe('{"en":"Hello","zh":"你好"}');
  expect([textsIn('no JSON'), textsIn(''), textsIn(null)]).toEqual([{}, {}, {}]);
});

test('a diff names changed and unchanged fields [CONSOLE-010]', () => {
  expect(changesOf('{"a":1,"b":"x"}', { a: 2, b: 'x', c: [1] })).toEqual([
    { name: 'a', before: '1', after: '2' },
    { name: 'c', before: undefined, after: '[1]' },
  ]);
  expect(unchangedOf({ b: 'x' }, { b: 'x' })).toEqual([['b', 'x']]);
  expect(changesOf('', 'plain')).toEqual([{ name: '', before: undefined, after: 'plain' }]);
});
