import type { Language, Notice } from '@bourse/contract';
import { translate } from '@bourse/i18n';
import { timeText } from '@bourse/platform';
import { messageIn, type StoredNotice } from '../domain/notice.js';
import type { PushMessage } from '../domain/push.js';
import { cleanHtml, plainText } from './clean-html.js';

/** A notice as a person reads it in this language: its content is clean HTML with a link to its subject. */
export function shownNotice(notice: StoredNotice, lang: Language): Notice {
  const time = timeText(notice.at);
  return {
    id: notice.id,
    ...wordsOf(notice, lang),
    create_time: time,
    update_time: time,
    is_read: notice.isRead ? 1 : 0,
  };
}

/** A notice as a device shows it: the same words without markup, a message of an operator by its title alone. */
export function pushMessage({ id, kind, params, texts, link }: StoredNotice, lang: Language): PushMessage {
  return {
    title: texts === null ? translate(lang, `notice.${kind}.title`, params) : plainText(messageIn(texts, lang).title),
    body: texts === null ? translate(lang, `notice.${kind}.content`, params) : '',
    link: OWN_PATH.test(link) ? link : MESSAGES_PATH,
    tag: `notice:${id}`,
  };
}
const MESSAGES_PATH = '/account/accountMessage';

function wordsOf(
  { kind, params, texts, link }: StoredNotice,
  lang: Language,
): Pick<Notice, 'lang' | 'title' | 'content'> {
  if (texts !== null) {
    const written = messageIn(texts, lang);
    return { lang: written.lang, title: plainText(written.title), content: cleanHtml(written.content) };
  }
  const title = translate(lang, `notice.${kind}.title`, params);
  const text = `<p>${escapeText(translate(lang, `notice.${kind}.content`, params))}</p>`;
  if (link === '') return { lang, title, content: text };
  const address = escapeText(link).replaceAll('"', '&quot;');
  const more = `<p><a href="${address}">${escapeText(translate(lang, 'notice.open'))}</a></p>`;
  return { lang, title, content: OWN_PATH.test(link) ? text + more : cleanHtml(text + more) };
}

/** Addresses of the terminal. Markup around them needs no sanitizer, whose parser costs more than the notice. */
const OWN_PATH = /^\/(?![/\\])[\w\-./?=&%:]*$/;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Escapes what users wrote, as the sanitizer does. */
const escapeText = (text: string): string => text.replace(/[&<>]/g, (sign) => ENTITIES[sign]!);
