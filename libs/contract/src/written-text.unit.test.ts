import { describe, expect, test } from '@jest/globals';
import { codeCharacters, hasHiddenCharacters, withoutHiddenCharacters } from './written-text.js';

const at = (...codes: number[]): string => String.fromCodePoint(...codes);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
/** Those that the contract lists, and others of the same kinds: marks of Arabic, fillers, tags, separators of lines. */
const HIDDEN = [
  ...[0x200b, 0x200e, 0x200f, 0x2060, 0xfeff, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)],
  ...[0x00ad, 0x034f, 0x061c, 0x115f, 0x180e, 0x2028, 0x2029, 0x2061, 0x206a, 0x2800, 0x3164, 0xffa0, 0xe0041],
];

describe('a name', () => {
  test.each(HIDDEN.map((code) => [code.toString(16).toUpperCase().padStart(4, '0'), at(code)]))(
    'with U+%s at its start, inside or at its end is refused [HARD-506]',
    (_, mark) => {
      for (const name of [`${mark}Harbour`, `Har${mark}bour`, `Harbour${mark}`, `Harbour ${mark}Desk`])
        expect([name, hasHiddenCharacters(name)]).toEqual([name, true]);
    },
  );

  test.each([
    'Müller',
    "O'Brien-Smith Jr.",
    '李小龍',
    'محمد علي',
    'می\u200Cخواهم',
    'क\u094D\u200Dषमा',
    'Zoë 🌊',
    '👩\u200D💻 desk',
    '❤\uFE0F shop',
    '葛\u{E0100}城',
    'ＡＢＣ 123',
  ])('as %s is allowed [HARD-506]', (name) => {
    expect(hasHiddenCharacters(name)).toBe(false);
  });

  test.each([
    'Harbour\u200D',
    '\u200CHarbour',
    'Harbour \u200D Desk',
    'a\u200D\u200Db',
    '1\u200C2',
    'Harbour\uFE0F',
    'x\u{E0100}',
  ])('with a joiner or a variant where none belongs is refused: %j [HARD-506]', (name) => {
    expect(hasHiddenCharacters(name)).toBe(true);
  });

  test('as a text that another person reads loses the hidden characters and keeps the rest [HARD-506]', () => {
    const text = HIDDEN.map((code) => `a${at(code)}`).join('');
    expect(withoutHiddenCharacters(text)).toBe('a'.repeat(HIDDEN.length));
    expect(withoutHiddenCharacters('می\u200Cخواهم 👩\u200D💻')).toBe('می\u200Cخواهم 👩\u200D💻');
  });
});

test.each(['068 799', ' 068799', '068-799', '068\u00A0799', '068\u2011799', '0\u200B68\u2013799\t', '068799'])(
  'a code copied as %j is read as its six digits [CLIENT-202]',
  (written) => {
    expect(codeCharacters(written)).toBe('068799');
  },
);
