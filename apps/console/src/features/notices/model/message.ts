import { LANGUAGES, type Language } from '@bourse/contract';

export interface MessageText {
  readonly title: string;
  readonly content: string;
}
export interface Message {
  readonly to: 'one' | 'all';
  readonly userId: string;
  /** The texts so far; one that was emptied again counts as missing. */
  readonly texts: Readonly<Partial<Record<Language, MessageText>>>;
}
export const NO_MESSAGE: Message = { to: 'one', userId: '', texts: {} };
export const NO_WORDS: MessageText = { title: '', content: '' };

/** The languages that something was written in, in the order of the languages. */
export const writtenIn = ({ texts }: Message): readonly Language[] =>
  LANGUAGES.filter((lang) => `${texts[lang]?.title ?? ''}${texts[lang]?.content ?? ''}`.trim() !== '');

/** The problems that keep a message from being sent, as message keys by field; `lang` names the incomplete text. */
export function messageProblems(
  message: Message,
): Readonly<Partial<Record<'userId' | 'title' | 'content' | 'texts', string>>> & { readonly lang?: Language } {
  const { to, userId, texts } = message;
  const langs = writtenIn(message);
  const lang = langs.length === 0 ? 'en' : langs.find((one) => !isWhole(texts[one]));
  const { title, content } = (lang && texts[lang]) ?? NO_WORDS;
  return {
    ...(to === 'one' && !/^[1-9]\d{0,15}$/.test(userId.trim()) ? { userId: 'console.notices.personMissing' } : {}),
    ...(lang === undefined ? {} : { lang }),
    ...(lang !== undefined && title.trim() === '' ? { title: 'console.news.titleMissing' } : {}),
    ...(lang !== undefined && content.trim() === '' ? { content: 'console.news.contentMissing' } : {}),
    ...(langs.length > 1 && !langs.includes('en') ? { texts: 'console.notices.englishMissing' } : {}),
  };
}
const isWhole = (text: MessageText = NO_WORDS): boolean => text.title.trim() !== '' && text.content.trim() !== '';

/** The text for a reader of a language: its own, else the English one, else the only one. */
export function readIn(message: Message, lang: Language): { readonly lang: Language; readonly text: MessageText } {
  const langs = writtenIn(message);
  const read = langs.includes(lang) ? lang : langs.includes('en') ? 'en' : (langs[0] ?? lang);
  return { lang: read, text: message.texts[read] ?? NO_WORDS };
}

/**
 * Lines of plain words become paragraphs; what is HTML already stays as it is. No line breaks: fields of calls have
 * none (api §1.4).
 */
export function paragraphs(content: string): string {
  if (/<[a-z][^>]*>/i.test(content)) return content.replace(/\s*\n\s*/g, ' ');
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => `<p>${part.replaceAll('\n', '<br>')}</p>`)
    .join('');
}

/** Fields of the call: of one language as they are, of several as JSON by language. */
export function messageBody(message: Message): Record<string, string> {
  const { to, userId, texts } = message;
  const written = writtenIn(message).map((lang) => {
    const { title, content } = texts[lang] ?? NO_WORDS;
    return [lang, { title: title.trim(), content: paragraphs(content) }] as const;
  });
  const [first] = written;
  return {
    user_id: to === 'all' ? 'all' : userId.trim(),
    ...(written.length === 1 && first
      ? { lang: first[0], ...first[1] }
      : { texts: JSON.stringify(Object.fromEntries(written)) }),
  };
}
