import { withoutHiddenCharacters, type ChatLine as ChatLineView } from '@bourse/contract';
import { translate } from '@bourse/i18n';
import { timeText } from '@bourse/platform';
import type { ChatLine } from '../domain/chat-line.js';

/** Signs the address of a picture by its name; an empty name gives an empty address. */
export type SignLink = (name: string) => string;

/**
 * Renders a line in the reader's language. Hidden characters could reverse other words, so texts of users lose them
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
