import { expect, test } from '@jest/globals';
import { MissingPart } from '../missing.mjs';
import { attempt, inShort, nothing, sum } from './result.mjs';

test('a part that cannot begin is one failure with its reason, and the other results still count', async () => {
  const found = { ...nothing(), passed: 3, notes: ['a note'] };
  const broken = await attempt(() => Promise.reject(new Error('no start')));
  expect(broken).toMatchObject({ passed: 0, failed: 1, skipped: 0, notes: ['no start'] });
  const total = sum(await attempt(() => Promise.resolve(found)), broken);
  expect(total).toMatchObject({ passed: 3, failed: 1, notes: ['a note', 'no start'] });
});

test('a part that the machine lacks is none of its failures', async () => {
  const missing = new MissingPart('Kafka', 'apt-get install -y default-jre-headless', 'no Java');
  await expect(attempt(() => Promise.reject(missing))).rejects.toBe(missing);
});

test('at the end a failure is repeated by its first lines, each short enough for a truncated log', () => {
  const note = ['✕ a rule of the exchange', ...Array.from({ length: 20 }, (_, line) => `${line} ${'x'.repeat(400)}`)];
  const lines = inShort(note.join('\n')).split('\n');
  expect(lines[0]).toBe('✕ a rule of the exchange');
  expect(lines.length).toBeLessThan(10);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200);
});
