import { expect, test } from '@jest/globals';
import { DataSeal, keyIdOf, SealBroken } from './data-seal.js';

const OLD = { id: 'k1', secret: 'an old key of thirty-two characters' };
const NEW = { id: 'k2', secret: 'a new key of thirty-two characters!' };

test('a sealed text opens only for its purpose and record, unchanged, and never repeats [HARD-316]', () => {
  const seal = new DataSeal([NEW], []);
  const sealed = seal.sealText('bank', 'ÖÄ 4711', '100001');
  expect(sealed).toMatch(/^v1\.k2\.[\w-]+$/);
  expect(seal.openText('bank', sealed, '100001')).toBe('ÖÄ 4711');
  expect(seal.sealText('bank', 'ÖÄ 4711', '100001')).not.toBe(sealed);
  for (const [purpose, context] of [
    ['card', '100001'],
    ['bank', '100002'],
  ] as const)
    expect(() => seal.openText(purpose, sealed, context)).toThrow(SealBroken);
  const bytes = seal.seal('bank', Buffer.from('4711'), '');
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => seal.open('bank', changed, '')).toThrow(SealBroken);
  }
  expect(() => seal.open('bank', bytes.subarray(0, 20), '')).toThrow(SealBroken);
  expect(() => seal.openText('bank', 'in the clear', '')).toThrow('not sealed');
});

test('keys change: the first seals, all open, a lost one is named, a plain secret replaces them [HARD-316]', () => {
  const before = new DataSeal([], ['the pepper of this exchange']);
  const old = new DataSeal([OLD], ['the pepper of this exchange']);
  const both = new DataSeal([NEW, OLD], ['the pepper of this exchange']);
  const [first, second] = [before.sealText('name', 'Ann'), old.sealText('name', 'Ann')];
  expect([keyIdOf(first), keyIdOf(second), both.newest]).toEqual([before.newest, 'k1', 'k2']);
  expect(first).not.toContain('pepper');
  expect([both.openText('name', first), both.openText('name', second)]).toEqual(['Ann', 'Ann']);
  expect(keyIdOf(both.sealText('name', 'Ann'))).toBe('k2');
  expect(() => new DataSeal([NEW], []).openText('name', second)).toThrow('the key k1');
});

test('marks find equal texts whatever key they were made under, and reveal nothing of them', () => {
  const stored = new DataSeal([OLD], []).marks('city', ' Porto')[0];
  const marks = new DataSeal([NEW, OLD], []).marks('city', 'PORTO ');
  expect(marks).toContain(stored);
  expect(marks[0]).toMatch(/^k2:/);
  expect(new DataSeal([NEW, OLD], []).marks('city', 'Lisbon')).not.toContain(stored);
  expect(new DataSeal([OLD], []).marks('name', 'Porto')).not.toContain(stored);
});
