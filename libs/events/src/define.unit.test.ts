import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { decode, defineEvent } from './define.js';

const shape = { topic: 'w', version: 1, key: () => 'k', schema: z.object({ amount: z.string() }) };
const Word = defineEvent({ type: 'word', ...shape });
const Other = defineEvent({ type: 'other', ...shape });

test('a body that this process has checked or built is read as the same object [EVENT-004]', () => {
  for (const message of [Word.encode({ amount: '1' }), Word.build({ amount: '1' })]) {
    const decoded = decode(Word, message);
    expect(decoded.ok && decoded.body).toBe(message.body);
    const copied = decode(Word, JSON.parse(JSON.stringify(message)) as typeof message);
    expect(copied).toEqual({ ok: true, body: { amount: '1' } });
  }
});

test('a body that was built as another kind, and a copy that does not fit, are parsed [EVENT-004]', () => {
  const wrong = { amount: 1 } as unknown as { amount: string };
  const built = Other.build(wrong);
  expect(decode(Other, built)).toEqual({ ok: true, body: wrong });
  expect(decode(Word, { ...built, type: Word.name }).ok).toBe(false);
  expect(decode(Other, { ...built, body: { ...wrong } }).ok).toBe(false);
});
