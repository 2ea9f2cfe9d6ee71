import { describe, expect, test } from '@jest/globals';
import { messageBody, messageProblems, NO_MESSAGE, paragraphs } from './message.js';

describe('a message to people', () => {
  test('names one person by the id, or everybody [CONSOLE-117]', () => {
    const words = { ...NO_MESSAGE, title: 'Hello', content: 'Text' };
    expect(messageProblems(NO_MESSAGE)).toEqual({
      userId: 'console.notices.personMissing',
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
});
