import { expect, test } from '@jest/globals';
import { KeptAnswers } from './kept-answers.js';

const body = (text: string): Buffer => Buffer.from(JSON.stringify({ type: 'ok', message: [text] }));

test('the last answer of each name is returned with its age [EDGE-064]', () => {
  const kept = new KeptAnswers();
  kept.keep('quotations', body('old'), 1_000);
  kept.keep('quotations', body('new'), 5_000);
  kept.keep('currencies', body('BTC'), 5_000);
  expect(kept.readLast('quotations', 7_500)).toEqual({
    ageMs: 2_500,
    body: JSON.stringify({ type: 'ok', message: ['new'], age_ms: 2_500 }),
  });
  expect(kept.readLast('currencies', 5_000)?.body).toContain('BTC');
  expect(kept.readLast('candles', 5_000)).toBeUndefined();
});

test('an answer older than ten minutes is not returned, and a huge one is not kept [EDGE-064]', () => {
  const kept = new KeptAnswers();
  kept.keep('quotations', body('old'), 0);
  expect(kept.readLast('quotations', 600_000)).toBeDefined();
  expect(kept.readLast('quotations', 600_001)).toBeUndefined();
  kept.keep('huge', body('x'.repeat(2 * 1024 * 1024)), 0);
  expect(kept.readLast('huge', 1)).toBeUndefined();
});
