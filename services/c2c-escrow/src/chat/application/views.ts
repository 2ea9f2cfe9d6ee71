import { withoutHiddenCharacters, type ChatLine as ChatLineView } from '@bourse/contract';
import { translate } from '@bourse/i18n';
import { timeText } from '@bourse/platform';
import type { ChatLine } from '../domain/chat-line.js';

/** The signed address of a picture, by its name; empty for none. */
export type SignLink = (name: string) => string;

/**
 * A line in the reader's language. Hidden characters, which could reverse other words, are removed from texts of users
 * [HARD-506].
 */
export const toChatLineView = (
  { id, from, text, image, key, params, at }: ChatLine,
  lang: string,
  link: SignLink,
): ChatLineView => ({
  id,
  from,
  text: key === '' ? withoutHiddenCharacters(text) : translate(lang, key, params),
  image: link(image),
  create_time: timeText(at),
});
