import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { attachment } from './attachment.js';

const CSV = { contentType: 'text/csv', name: 'rows.csv' };

describe('an answer that is saved as a file [EXPORT-013]', () => {
  test('has all pieces, whatever their number', async () => {
    for (const pieces of [[], ['head\n'], ['head\n', '1\n', '2\n', '3\n']]) {
      async function* written() {
        yield* pieces;
      }
      const { body, options } = await attachment(written(), CSV);
      expect(await text(body as Readable)).toBe(pieces.join(''));
      expect(options).toEqual({
        contentType: 'text/csv; charset=utf-8',
        headers: { 'content-disposition': 'attachment; filename="rows.csv"' },
      });
    }
  });

  test('fails before it begins when its first rows cannot be read', async () => {
    async function* failing() {
      yield 'head\n';
      await Promise.reject(new Error('unavailable'));
    }
    await expect(attachment(failing(), CSV)).rejects.toThrow('unavailable');
  });

  test('reads two pieces at most before the first is taken', async () => {
    let read = 0;
    async function* counted() {
      for (;;) yield `${(read += 1)}\n`;
    }
    await attachment(counted(), CSV);
    expect(read).toBe(2);
  });
});
