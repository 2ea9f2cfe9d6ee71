import { LANGUAGES, shownLength, type Language } from '@bourse/contract';
import * as z from 'zod/mini';
import type { MessageTexts } from '../../domain/notice.js';
import { Field, OneOf, PageOf, Reason, refuse, RowId, textReader, type Page } from '@bourse/platform';

/* Fields of the calls of personal notices (api §2.10, §2.12). */

export class NoticeListBody {
  @PageOf(20) page!: Page;
}
export class NoticeBody {
  @RowId('common.notFound', { missing: 'common.fieldRequired' }) id!: number;
}

const TITLE_MAX = 200;
const CONTENT_MAX = 20_000;
const EVERYBODY = 'all';
const USER_ID = /^[1-9]\d{0,15}$/;

/** A person, or all people: null. */
const Recipient = () =>
  Field<number | null>({
    read(text, field) {
      if (text === undefined) throw refuse('common.fieldRequired', field);
      if (text === EVERYBODY) return null;
      if (!USER_ID.test(text) || !Number.isSafeInteger(Number(text))) throw refuse('common.fieldInvalid', field);
      return Number(text);
    },
    schema: { type: 'string', pattern: `^(${EVERYBODY}|[1-9]\\d{0,15})$` },
    keys: ['common.fieldRequired', 'common.fieldInvalid'],
  });

/** Words that show something: blanks and invisible characters alone are none [FIELDS-011]. */
const words = (max: number) =>
  z.string().check(
    z.refine((text) => shownLength(text) > 0),
    z.maxLength(max),
  );
const TEXTS = z.partialRecord(
  z.enum(LANGUAGES),
  z.strictObject({ title: words(TITLE_MAX), content: words(CONTENT_MAX) }),
);
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Title and text by language: JSON, as fields of calls are texts. */
const Texts = () =>
  Field<MessageTexts>(
    {
      read(text, field) {
        const texts = TEXTS.safeParse(jsonOf(text ?? ''));
        if (!texts.success || Object.keys(texts.data).length === 0) throw refuse('common.fieldInvalid', field);
        return texts.data;
      },
      schema: {
        type: 'string',
        description:
          'JSON by language: `{ "en": { "title": "…", "content": "…" }, "zh": … }`. Of several one is English: it is ' +
          'read by those whose language is missing',
      },
      keys: ['common.fieldInvalid'],
    },
    { optional: true },
  );

const Words = (max: number, about: string) => {
  const reader = textReader({ max, pattern: /\S/u });
  return Field(
    {
      ...reader,
      read(text, field) {
        const given = reader.read(text, field);
        if (shownLength(given) === 0) throw refuse('common.fieldInvalid', field);
        return given;
      },
    },
    { optional: true, about },
  );
};

export class NoticeSendBody {
  @Recipient() userId!: number | null;
  @Words(TITLE_MAX, 'Needed without `texts`') title?: string | undefined;
  @Words(CONTENT_MAX, 'Needed without `texts`. HTML; what is not allowed in a text is left out')
  content?: string | undefined;
  @OneOf(LANGUAGES, { optional: true, about: 'Of `title` and `content`; en when absent' }) lang?: Language | undefined;
  @Texts() texts?: MessageTexts | undefined;
  @Reason() reason!: string;
}

/**
 * The words of a message by language: `title` and `content` in one language, or `texts` in several.
 * @throws Refused `common.fieldRequired` without words, `common.fieldInvalid` for several languages without English
 * and for words that are given twice
 */
export function messageTexts({ title, content, lang, texts }: NoticeSendBody): MessageTexts {
  if (texts === undefined) {
    if (title === undefined) throw refuse('common.fieldRequired', 'title');
    if (content === undefined) throw refuse('common.fieldRequired', 'content');
    return { [lang ?? 'en']: { title, content } };
  }
  if (title !== undefined || content !== undefined || lang !== undefined)
    throw refuse('common.fieldInvalid', title !== undefined ? 'title' : content !== undefined ? 'content' : 'lang');
  if (texts.en === undefined && Object.keys(texts).length > 1) throw refuse('common.fieldInvalid', 'texts');
  return texts;
}
