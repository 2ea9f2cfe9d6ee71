import type { Language, Notice } from '@bourse/contract';
import { translate } from '@bourse/i18n';
import { timeText } from '@bourse/platform';
import { messageIn, type StoredNotice } from '../domain/notice.js';
import { cleanHtml, plainText } from './clean-html.js';

/** A notice as somebody reads it in this language: its content is clean HTML with a link to what it tells of. */
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

function wordsOf({ kind, params, texts, link }: StoredNotice, lang: Language): { title: string; content: string } {
  if (texts !== null) {
    const { title, content } = messageIn(texts, lang);
    return { title: plainText(title), content: cleanHtml(content) };
  }
  const text = `<p>${escaped(translate(lang, `notice.${kind}.content`, params))}</p>`;
  const more = link === '' ? '' : `<p><a href="${escaped(link)}">${escaped(translate(lang, 'notice.open'))}</a></p>`;
  return { title: translate(lang, `notice.${kind}.title`, params), content: cleanHtml(text + more) };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Params are words of people too: none of them is markup. */
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);
