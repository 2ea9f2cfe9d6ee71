import { describe, expect, test } from '@jest/globals';
import { messageBody, messageProblems, NO_MESSAGE, paragraphs, readIn, writtenIn } from './message.js';

const words = { ...NO_MESSAGE, texts: { en: { title: 'Hello', content: 'Text' } } };

describe('a message to people', () => {
  test('names one person by the id, or everybody [CONSOLE-117]', () => {
    expect(messageProblems(NO_MESSAGE)).toEqual({
      userId: 'console.notices.personMissing',
      lang: 'en',
      title: 'console.news.titleMissing',
      content: 'console.news.contentMissing',
    });
    expect(messageProblems({ ...words, userId: '0' })).toEqual({ userId: 'console.notices.personMissing' });
    expect(messageProblems({ ...words, userId: ' 100001 ' })).toEqual({});
    expect(messageProblems({ ...words, to: 'all' })).toEqual({});
    expect(messageBody({ ...words, to: 'all', userId: '100001' })['user_id']).toBe('all');
    expect(messageBody({ ...words, userId: ' 100001 ' })['user_id']).toBe('100001');
  });

  test('in plain words becomes paragraphs, and no sign in it becomes markup [CONSOLE-117]', () => {
    expect(paragraphs('a & b < c\nd\n\n  e')).toBe('<p>a &amp; b &lt; c<br>d</p><p>e</p>');
    expect(paragraphs('<p>ready</p>\n<p>too</p>')).toBe('<p>ready</p> <p>too</p>');
  });

  test('is sent in every language that it was written in, with an English text for the others [CONSOLE-303]', () => {
    const chinese = { title: ' 你好 ', content: '正文' };
    const both = {
      ...words,
      to: 'all' as const,
      texts: { zh: chinese, ...words.texts, de: { title: '', content: ' ' } },
    };
    expect(writtenIn(both)).toEqual(['en', 'zh']);
    expect(messageProblems(both)).toEqual({});
    expect(messageBody(both)).toEqual({
      user_id: 'all',
      texts: '{"en":{"title":"Hello","content":"<p>Text</p>"},"zh":{"title":"你好","content":"<p>正文</p>"}}',
    });
    expect(messageBody({ ...both, texts: { zh: chinese } })).toEqual({
      user_id: 'all',
      lang: 'zh',
      title: '你好',
      content: '<p>正文</p>',
    });
    expect(messageProblems({ ...both, texts: { ...both.texts, zh: { title: '你好', content: '' } } })).toEqual({
      lang: 'zh',
      content: 'console.news.contentMissing',
    });
    expect(messageProblems({ ...both, texts: { zh: chinese, de: chinese } })).toEqual({
      texts: 'console.notices.englishMissing',
    });
    expect([
      readIn(both, 'zh').lang,
      readIn(both, 'fr').lang,
      readIn({ ...both, texts: { zh: chinese } }, 'fr').lang,
    ]).toEqual(['zh', 'en', 'zh']);
  });
});
