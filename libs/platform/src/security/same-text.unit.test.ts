import { describe, expect, test } from '@jest/globals';
import { sameText } from './same-text.js';

describe('texts that an attacker may guess', () => {
  test('equal texts are the same', () => {
    expect(sameText('7f3a', '7f3a')).toBe(true);
  });
  test('one other character is another text', () => {
    expect(sameText('7f3a', '7f3b')).toBe(false);
  });
  test('a beginning is another text', () => {
    expect(sameText('7f3a', '7f3')).toBe(false);
  });
  test('texts of as many characters and more bytes are other texts', () => {
    expect(sameText('7f3a', '7f3ä')).toBe(false);
  });
});
