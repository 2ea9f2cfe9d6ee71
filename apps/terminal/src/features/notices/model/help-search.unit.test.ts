import { expect, test } from '@jest/globals';
import { foundArticles } from './help-search.js';

const article = (title: string, content: string) => ({ title, abstract: '', content });
const articles = [
  article('Fees', '<p>Each <strong>deposit</strong> is free</p>'),
  article('Dépôts', '<p>Minimum</p>'),
  article('Deposit minimum', '<p>100 USDT</p>'),
];
const titles = (typed: string): string[] => foundArticles(articles, typed).map(({ title }) => title);

test('help is found by all words typed, titles first, without case and accents [HELP-001]', () => {
  expect(titles('')).toEqual(['Fees', 'Dépôts', 'Deposit minimum']);
  expect(titles('DEPOSIT')).toEqual(['Deposit minimum', 'Fees']);
  expect(titles('free each')).toEqual(['Fees']);
  expect(titles('depots')).toEqual(['Dépôts']);
  expect(titles('strong')).toEqual([]);
});
