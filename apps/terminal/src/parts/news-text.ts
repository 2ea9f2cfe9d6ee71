import type { News, Notice } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';

/** Attributes of a text of news or of a message: it is in English where it has no translation (WCAG 3.1.2). */
export const newsText = ({ lang }: Pick<News | Notice, 'lang'>): { lang: string; dir: 'ltr' | 'rtl' } => ({
  lang: LOCALES[lang].htmlLang,
  dir: LOCALES[lang].dir,
});
