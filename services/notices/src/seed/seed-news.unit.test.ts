import { describe, expect, test } from '@jest/globals';
import { LANGUAGES } from '@bourse/contract';
import { cleanHtml, plainText } from '../application/clean-html.js';
import { SEED_NEWS, seedTexts } from './seed-news.js';

const ids = SEED_NEWS.map(({ id }) => String(id)).sort();

test('the seed has the counts of rules §17 [NOTICE-002]', () => {
  const counts: Record<number, number> = {};
  for (const { category } of SEED_NEWS) counts[category] = (counts[category] ?? 0) + 1;
  expect(counts).toEqual({ 9: 3, 11: 3, 32: 1, 33: 1, 34: 3, 35: 2, 36: 4 });
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(LANGUAGES)('news in %s', (lang) => {
  const texts = seedTexts(lang);

  test('has every item with title, abstract and content, all clean [NOTICE-003]', () => {
    expect(Object.keys(texts).sort()).toEqual(ids);
    for (const text of Object.values(texts)) {
      expect(Object.keys(text).sort()).toEqual(['abstract', 'content', 'title']);
      for (const part of Object.values(text)) expect(part.trim()).not.toBe('');
      expect(cleanHtml(text.content)).toBe(text.content);
      expect(plainText(text.title)).toBe(text.title);
      expect(plainText(text.abstract)).toBe(text.abstract);
    }
  });

  test('has the same figures and links as the English text [NOTICE-004]', () => {
    const english = seedTexts('en');
    const figures = (html: string): string[] =>
      (html.match(/\d+(?:[.,]\d+)*/g) ?? []).map((figure) => figure.replace(',', '.')).sort();
    const links = (html: string): string[] => (html.match(/href="[^"]*"/g) ?? []).sort();
    for (const [id, text] of Object.entries(texts)) {
      expect({ id, figures: figures(text.content) }).toEqual({ id, figures: figures(english[id]?.content ?? '') });
      expect({ id, links: links(text.content) }).toEqual({ id, links: links(english[id]?.content ?? '') });
    }
  });
});

test('no two languages share their texts [NOTICE-003]', () => {
  for (const id of ids)
    expect(new Set(LANGUAGES.map((lang) => seedTexts(lang)[id]?.content)).size).toBe(LANGUAGES.length);
});
