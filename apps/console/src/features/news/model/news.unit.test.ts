import { describe, expect, test } from '@jest/globals';
import { frameOf, newFrame, newsBody, newsProblems, NO_TEXT, textOf, withPicture, type NewsRow } from './news.js';

const row: NewsRow = {
  id: 5,
  c_id: 11,
  title: 'Hello',
  abstract: '',
  content: '<p>Hello</p>',
  langs: ['en'],
  cover: '/api/upload/a.webp',
  link: '',
  pinned: 0,
  sort: 3,
  publish_time: '2026-01-02 10:20:30',
  update_time: '2026-01-02 10:20:30',
};
const text = { title: ' Hello ', abstract: ' ', content: '<p>Hello</p>\n' };

describe('a news item that is written', () => {
  test('begins in English, with a title and a text [CONSOLE-116]', () => {
    expect(newsProblems(NO_TEXT, { row: undefined, lang: 'zh' })).toEqual({
      title: 'console.news.titleMissing',
      content: 'console.news.contentMissing',
      lang: 'console.news.englishFirst',
    });
    expect(newsProblems(text, { row: undefined, lang: 'en' })).toEqual({});
    expect(newsProblems(text, { row, lang: 'zh' })).toEqual({});
    // 30 February would be published on 2 March.
    const at = (publishAt: string): unknown => newsProblems(text, { row, lang: 'en', publishAt });
    expect([at('2026-02-30T10:00'), at('2026-02-28T10:00')]).toEqual([{ publishAt: 'common.dateWrong' }, {}]);
  });

  test('of a language without a text the fields are empty, not the English ones [CONSOLE-116]', () => {
    expect(textOf(row, 'zh')).toEqual(NO_TEXT);
    expect(textOf(row, 'en').title).toBe('Hello');
  });

  test('a new item is sent with all fields [CONSOLE-116]', () => {
    expect(
      newsBody({ text, frame: { ...newFrame('11'), publishAt: '2026-02-01T08:00' }, lang: 'en' }, undefined),
    ).toEqual({
      c_id: '11',
      lang: 'en',
      title: 'Hello',
      abstract: '',
      content: '<p>Hello</p>',
      pinned: 0,
      sort: '0',
      publish_time: '2026-02-01 08:00:00',
    });
  });

  test('of an existing item only changed fields are sent, and its seconds stay [CONSOLE-116]', () => {
    const same = { id: 5, lang: 'zh', title: 'Hello', abstract: '', content: '<p>Hello</p>' };
    expect(newsBody({ text, frame: frameOf(row), lang: 'zh' }, row)).toEqual(same);
    expect(newsBody({ text, frame: { ...frameOf(row), cover: '', isPinned: true }, lang: 'zh' }, row)).toEqual({
      ...same,
      cover: '',
      pinned: 1,
    });
  });

  test('takes pictures at its end [CONSOLE-116]', () => {
    expect(withPicture('<p>a</p>', '/api/upload/b.webp')).toBe(
      '<p>a</p>\n<p><img src="/api/upload/b.webp" alt=""></p>',
    );
    expect(withPicture('', '/x')).toBe('<p><img src="/x" alt=""></p>');
  });
});
