import { expect, test } from '@jest/globals';
import { KeptAnswers } from './kept-answers.js';

const body = (text: string): Buffer => Buffer.from(JSON.stringify({ type: 'ok', message: [text] }));

test('the last answer is given again with its age, each under its own name [EDGE-062]', () => {
  const kept = new KeptAnswers();
  kept.keep('quotations', body('old'), 1_000);
  kept.keep('quotations', body('new'), 5_000);
  kept.keep('currencies', body('BTC'), 5_000);
  expect(kept.again('quotations', 7_500)).toEqual({
    ageMs: 2_500,
    body: JSON.stringify({ type: 'ok', message: ['new'], age_ms: 2_500 }),
  });
  expect(kept.again('currencies', 5_000)?.body).toContain('BTC');
  expect(kept.again('candles', 5_000)).toBeUndefined();
});

test('an answer older than ten minutes is given no more, and a huge one is not kept [EDGE-062]', () => {
  const kept = new KeptAnswers();
  kept.keep('quotations', body('old'), 0);
  expect(kept.again('quotations', 600_000)).toBeDefined();
  expect(kept.again('quotations', 600_001)).toBeUndefined();
  kept.keep('huge', body('x'.repeat(2 * 1024 * 1024)), 0);
  expect(kept.again('huge', 1)).toBeUndefined();
});
