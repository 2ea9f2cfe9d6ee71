import { expect, test } from '@jest/globals';
import { closeContents, principalContents } from './contents.js';

const text = (contents: object): string => JSON.stringify(contents);

test('a close or a transfer in another quote is another act [LEVERUI-071]', () => {
  expect(text(closeContents(0, { legal_id: 3 }, undefined))).not.toBe(
    text(closeContents(0, { legal_id: 4 }, undefined)),
  );
  expect(text(closeContents(0, { legal_id: 3 }, undefined))).toBe(text(closeContents(0, { legal_id: 3 }, undefined)));
  expect(text(closeContents(0, undefined, ['1']))).not.toBe(text(closeContents(0, undefined, undefined)));
  expect(text(principalContents(3, 3, '5'))).not.toBe(text(principalContents(3, 4, '5')));
});
