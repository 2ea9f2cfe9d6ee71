import { expect, test } from '@jest/globals';
import { previewOf } from './preview.js';

test('a preview has the words of a notice without markup and without its link [INBOX-003]', () => {
  expect(previewOf('<p>Paid 5 &amp; 6 &lt;USDT&gt;.</p><p><a href="/coinRecord">View details</a></p>')).toBe(
    'Paid 5 & 6 <USDT>.',
  );
  expect(previewOf('')).toBe('');
  expect([...previewOf(`<p>${'語'.repeat(400)}</p>`)]).toHaveLength(161);
});
