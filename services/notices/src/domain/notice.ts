import type { Language } from '@bourse/contract';
import type { NoticeKind } from '@bourse/events';

/** A text of an operator's message: a title without tags, and HTML. */
export interface MessageText {
  readonly title: string;
  readonly content: string;
}
export type MessageTexts = Readonly<Partial<Record<Language, MessageText>>>;

/** A notice as it is stored: without a language, except for an operator's own words. */
export interface NewNotice {
  /** Null: everybody who was registered at `at`. */
  readonly userId: number | null;
  /** Identifies the event: a person gets one notice for each source. */
  readonly source: string;
  readonly kind: NoticeKind;
  readonly params: Readonly<Record<string, string | number>>;
  /** The words of a `message`, null of all other kinds. */
  readonly texts: MessageTexts | null;
  /** An address of the terminal, `''` for none. */
  readonly link: string;
  /** Business time, ms. */
  readonly at: number;
}
export interface StoredNotice extends NewNotice {
  readonly id: number;
  readonly isRead: boolean;
}

/** The words of a message in this language, or else in English, or else in the one that it was written in. */
export function messageIn(texts: MessageTexts, lang: Language): MessageText & { readonly lang: Language } {
  const written = Object.keys(texts) as Language[];
  const shown = [lang, 'en' as const, ...written].find((one) => texts[one]) ?? lang;
  return { title: '', content: '', ...texts[shown], lang: shown };
}
