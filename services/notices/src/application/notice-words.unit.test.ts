import { describe, expect, test } from '@jest/globals';
import { LANGUAGES } from '@bourse/contract';
import { NOTICE_KINDS, NOTICE_PARAMS } from '@bourse/events';
import { hasText, translate } from '@bourse/i18n';
import { cleanHtml } from './clean-html.js';
import { shownNotice } from './notice-words.js';
import type { StoredNotice } from '../domain/notice.js';

const TOLD: StoredNotice = {
  id: 7,
  userId: 1,
  source: 'deal:42:paid',
  kind: 'dealPaid',
  params: { number: '0.1 BTC', money: '100 CNY' },
  texts: null,
  link: '/dealDetail?id=42',
  at: Date.UTC(2026, 0, 1),
  isRead: false,
};
const placesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!))].sort();

describe('texts of personal notices [NOTICE-010]', () => {
  test.each(NOTICE_KINDS.filter((kind) => kind !== 'message'))('%s shows its params in every language', (kind) => {
    for (const part of ['title', 'content']) expect(hasText(`notice.${kind}.${part}`)).toBe(true);
    for (const lang of LANGUAGES) {
      const texts = ['title', 'content'].map((part) => translate(lang, `notice.${kind}.${part}`));
      expect([lang, placesIn(texts.join(' '))]).toEqual([lang, [...NOTICE_PARAMS[kind]].sort()]);
    }
  });

  test('are in the language of the reader, with a link to their subject', () => {
    expect(shownNotice(TOLD, 'en')).toMatchObject({
      title: 'Deal marked as paid',
      content:
        '<p>The deal over 0.1 BTC for 100 CNY has been marked as paid.</p>' +
        '<p><a href="/dealDetail?id=42">View details</a></p>',
      is_read: 0,
    });
    expect(shownNotice(TOLD, 'de').title).toBe('Handel als bezahlt markiert');
  });

  test('the words of people in them are no markup', () => {
    const told = {
      ...TOLD,
      kind: 'complaintAnswered',
      params: { subject: '<img src=x onerror=a()>&' },
      link: '',
    } as const;
    expect(shownNotice(told, 'en').content).toBe(
      '<p>Support has answered your complaint “&lt;img src=x onerror=a()&gt;&amp;”.</p>',
    );
  });

  test.each(NOTICE_KINDS.filter((kind) => kind !== 'message'))('%s reads as the sanitizer would leave it', (kind) => {
    const hostile = `"<b>&amp;'\u202e</b>`;
    const params = Object.fromEntries(NOTICE_PARAMS[kind].map((name) => [name, hostile]));
    for (const link of ['', '/dealDetail?id=42&tab=a', '/manageList', '//elsewhere', 'https://elsewhere/"'])
      for (const lang of LANGUAGES) {
        const { content } = shownNotice({ ...TOLD, kind, params, link }, lang);
        expect(content).toBe(cleanHtml(content));
      }
  });

  test('a link that leads elsewhere is none', () => {
    expect(shownNotice({ ...TOLD, link: 'javascript:a()' }, 'en').content).not.toContain('javascript');
  });
});

test("an operator's message keeps its words, clean, in the language it has [NOTICE-011]", () => {
  const texts = {
    en: { title: '<b>Hello</b>', content: '<p onclick="a()">all</p>' },
    de: { title: 'Hallo', content: '<p>alle</p>' },
  };
  const message: StoredNotice = { ...TOLD, kind: 'message', params: {}, texts, link: '' };
  expect(shownNotice(message, 'de')).toMatchObject({ lang: 'de', title: 'Hallo', content: '<p>alle</p>' });
  expect(shownNotice(message, 'fr')).toMatchObject({ lang: 'en', title: 'Hello', content: '<p>all</p>' });
});
