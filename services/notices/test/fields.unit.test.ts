import { expect, test } from '@jest/globals';
import { Refused, readFields } from '@bourse/platform';
import { fieldsThatKeepHiddenCharacters } from '@bourse/testing';
import * as complaints from '../src/adapters/http/complaint-fields.js';
import { NoticeSendBody } from '../src/adapters/http/notice-fields.js';

test('only fields that are compared or looked up keep hidden characters [HARD-506]', () => {
  expect(fieldsThatKeepHiddenCharacters(complaints)).toEqual([]);
});

const BLANK = ' \u200b \u2060 ';
const JOINERS = '\u200d\u200c\ufe0f';
function refusal(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) return [error.key, error.options.field];
    throw error;
  }
}

test.each([BLANK, JOINERS])('a complaint of which nothing shows is none: %j [FIELDS-011]', (text) => {
  const complaint = { kind: 'other', subject: 'Late', text: 'It is late' };
  const read = (fields: Record<string, string>): unknown =>
    refusal(() => readFields(complaints.NewComplaintBody, { ...complaint, ...fields }));
  expect(read({ subject: text })).toEqual(['complaint.subjectRequired', 'subject']);
  expect(read({ text })).toEqual(['complaint.textRequired', 'text']);
  expect(read({ subject: `${BLANK}Late${BLANK}` })).toMatchObject({ subject: 'Late' });
});

test.each([BLANK, JOINERS])('a message to people of which nothing shows is none: %j [FIELDS-011]', (text) => {
  const message = { user_id: 'all', title: 'News', content: 'Words', reason: 'a reason' };
  const read = (fields: Record<string, string>): unknown =>
    refusal(() => readFields(NoticeSendBody, { ...message, ...fields }));
  expect(read({})).toMatchObject({ title: 'News', content: 'Words' });
  expect(read({ title: text })).toEqual(['common.fieldInvalid', 'title']);
  expect(read({ content: text })).toEqual(['common.fieldInvalid', 'content']);
  const texts = JSON.stringify({ en: { title: 'News', content: text } });
  expect(read({ title: '', content: '', texts })).toEqual(['common.fieldInvalid', 'texts']);
});
