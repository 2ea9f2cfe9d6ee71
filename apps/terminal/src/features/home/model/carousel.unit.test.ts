import { expect, test } from '@jest/globals';
import { approximate, nextSlide, slideTarget, sparkline } from './carousel.js';

test('slides go round', () => {
  expect([nextSlide(0, 3), nextSlide(2, 3), nextSlide(0, 1), nextSlide(0, 0)]).toEqual([1, 0, 0, 0]);
});

test('a slide leads where its link says, and to its own text without one [HOME-001]', () => {
  const targets = ['/register', 'https://status.example.org/', '', '//elsewhere.example', 'javascript:alert(1)'].map(
    (link) => slideTarget({ id: 7, link }),
  );
  expect(targets).toEqual([
    { kind: 'page', to: '/register' },
    { kind: 'site', href: 'https://status.example.org/' },
    { kind: 'text', to: '/noticeDetail?id=7' },
    { kind: 'text', to: '/noticeDetail?id=7' },
    { kind: 'text', to: '/noticeDetail?id=7' },
  ]);
});

test('the line fills its box from low to high, and a flat market is a flat line', () => {
  expect(sparkline([1, 3, 2], 100, 20)).toBe('M0.0 20.0L50.0 0.0L100.0 10.0');
  expect(sparkline([5, 5], 10, 4)).toBe('M0.0 4.0L10.0 4.0');
  expect(sparkline([5], 10, 4)).toBe('');
});

test('a tile shows the exact product, cut to two decimals', () => {
  expect(approximate('56670.02', '6.5')).toBe('368355.13');
  expect(approximate('0.00002609', '368355.13')).toBe('9.61');
});
