import { describe, expect, test } from '@jest/globals';
import { canonicalDraw, isDrawSignature, readDrawData, signDraw, type DrawData } from './draw-signature.js';

const EXAMPLE: DrawData = {
  user_id: '100001',
  address: '0x00000000000000000000000000000000000000a1',
  coin_name: 'USDT',
  contract_address: '0x00000000000000000000000000000000000000c1',
  memo: '',
  verification_code: '123456',
  timestamp: '1767225600000',
};

describe('the signature of an address binding', () => {
  test('is that of the example in the contract [ADDRESS-001]', () => {
    expect(canonicalDraw(EXAMPLE)).toBe(
      'address=0x00000000000000000000000000000000000000a1&coin_name=USDT&contract_address=0x000000000000000000000' +
        '00000000000000000c1&memo=&timestamp=1767225600000&user_id=100001&verification_code=123456',
    );
    expect(signDraw(EXAMPLE, 'demo-secret')).toBe('29b07d33aa745fd3b0db45c5d8ff7141a89ec3dc6c1ed8c8ce9aec43ec27df15');
    expect(isDrawSignature(EXAMPLE, signDraw(EXAMPLE, 'demo-secret'), 'demo-secret')).toBe(true);
  });

  test('covers every field and the secret [ADDRESS-001]', () => {
    const signature = signDraw(EXAMPLE, 'demo-secret');
    for (const name of Object.keys(EXAMPLE) as (keyof DrawData)[])
      expect(isDrawSignature({ ...EXAMPLE, [name]: `${EXAMPLE[name]}1` }, signature, 'demo-secret')).toBe(false);
    expect(isDrawSignature(EXAMPLE, signature, 'demo-secret2')).toBe(false);
    expect(isDrawSignature(EXAMPLE, signature.toUpperCase(), 'demo-secret')).toBe(false);
    expect(isDrawSignature(EXAMPLE, '', 'demo-secret')).toBe(false);
  });

  test('encodes all characters that RFC 3986 reserves, in upper-case hex [ADDRESS-001]', () => {
    expect(canonicalDraw({ ...EXAMPLE, memo: "A-z_0.9~ !*'()&=%ü" })).toContain(
      'memo=A-z_0.9~%20%21%2A%27%28%29%26%3D%25%C3%BC&',
    );
  });
});

test('the data are a JSON object with exactly these seven, as texts or integers [ADDRESS-002]', () => {
  const whole = { ...EXAMPLE, user_id: 100_001, timestamp: 1_767_225_600_000 };
  expect(readDrawData(JSON.stringify(whole))).toEqual(EXAMPLE);
  const { memo: _, ...without } = whole;
  for (const text of [
    '',
    'x',
    'null',
    '[]',
    '"text"',
    JSON.stringify(without),
    JSON.stringify({ ...whole, extra: '' }),
    JSON.stringify({ ...without, nemo: '' }),
    JSON.stringify({ ...whole, memo: { a: 1 } }),
    JSON.stringify({ ...whole, memo: 1.5 }),
    JSON.stringify({ ...whole, memo: null }),
  ]) {
    expect(readDrawData(text)).toBeNull();
  }
});
