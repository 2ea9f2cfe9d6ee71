import type { Language } from '@bourse/contract';

export interface Message {
  readonly to: 'one' | 'all';
  readonly userId: string;
  readonly lang: Language;
  readonly title: string;
  readonly content: string;
}
export const NO_MESSAGE: Message = { to: 'one', userId: '', lang: 'en', title: '', content: '' };

/** What stands in the way of sending, as message keys by field. */
export function messageProblems({
  to,
  userId,
  title,
  content,
}: Message): Readonly<Partial<Record<'userId' | 'title' | 'content', string>>> {
  return {
    ...(to === 'one' && !/^[1-9]\d{0,15}$/.test(userId.trim()) ? { userId: 'console.notices.personMissing' } : {}),
    ...(title.trim() === '' ? { title: 'console.news.titleMissing' } : {}),
    ...(content.trim() === '' ? { content: 'console.news.contentMissing' } : {}),
  };
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

/** Fields of the call. */
export const messageBody = ({ to, userId, lang, title, content }: Message): Record<string, string> => ({
  user_id: to === 'all' ? 'all' : userId.trim(),
  lang,
  title: title.trim(),
  content: paragraphs(content),
});
