import type { Language } from '@bourse/contract';
import type { NoticeKind } from '@bourse/events';

/** A text of an operator's message: a title without tags, and HTML. */
export interface MessageText {
  readonly title: string;
  readonly content: string;
}
export type MessageTexts = Readonly<Partial<Record<Language, MessageText>>>;

/** What somebody is told, as it is stored: in no language but that of an operator's own words. */
export interface NewNotice {
  /** Null: everybody who was there at `at`. */
  readonly userId: number | null;
  /** Names what is told once for a person. */
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
export function messageIn(texts: MessageTexts, lang: Language): MessageText {
  return texts[lang] ?? texts.en ?? Object.values(texts)[0] ?? { title: '', content: '' };
}
