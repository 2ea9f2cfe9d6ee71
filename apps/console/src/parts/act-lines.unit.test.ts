import { expect, test } from '@jest/globals';
import { sentOf } from './act-model.js';

test('text typed in several lines is sent as one: fields of calls have no line breaks [CONSOLE-118]', () => {
  expect(
    sentOf([{ name: 'text', label: 'Answer', kind: 'long' }], { text: ' One \r\n\n two\n', reason: 'seen\ntwice ' }),
  ).toEqual({ text: 'One two', reason: 'seen twice' });
});
