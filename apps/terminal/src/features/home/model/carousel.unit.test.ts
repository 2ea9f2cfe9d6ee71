import { expect, test } from '@jest/globals';
import { keyStep, nextSlide, previousSlide, slideTarget, swipeStep } from './carousel.js';

test('slides go round, both ways [HOME-002]', () => {
  expect([nextSlide(0, 3), nextSlide(2, 3), nextSlide(0, 1), nextSlide(0, 0)]).toEqual([1, 0, 0, 0]);
  expect([previousSlide(0, 3), previousSlide(2, 3), previousSlide(0, 1), previousSlide(0, 0)]).toEqual([2, 1, 0, 0]);
});

test('a swipe and an arrow lead where the script reads, and a short or upright move nowhere [HOME-002]', () => {
  expect([swipeStep(-60, 5, false), swipeStep(60, 5, false)]).toEqual([1, -1]);
  expect([swipeStep(-60, 5, true), swipeStep(60, 5, true)]).toEqual([-1, 1]);
  expect([swipeStep(-39, 0, false), swipeStep(-60, 80, false), swipeStep(0, 0, true)]).toEqual([0, 0, 0]);
  expect([keyStep('ArrowRight', false), keyStep('ArrowLeft', false), keyStep('Enter', false)]).toEqual([1, -1, 0]);
  expect([keyStep('ArrowRight', true), keyStep('ArrowLeft', true)]).toEqual([-1, 1]);
});

test('a slide opens its link, and its own text without one [HOME-001]', () => {
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
