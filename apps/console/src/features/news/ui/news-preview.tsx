import { useTranslation } from 'react-i18next';
import type { Language } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';
import { Empty } from '@bourse/ui';
import { NewsContent } from '../../../parts/news-content.js';
import { addressOfPicture } from '../../../parts/picture.js';
import type { NewsText } from '../model/news.js';

/** The item as the terminal shows it to a reader of the language. */
export function NewsPreview({
  text,
  cover,
  link,
  lang,
}: {
  text: NewsText;
  cover: string;
  link: string;
  lang: Language;
}) {
  const { t } = useTranslation();
  const { htmlLang, dir } = LOCALES[lang];
  if (text.title === '' && text.content === '') return <Empty>{t('console.news.nothingYet')}</Empty>;
  return (
    <article
      lang={htmlLang}
      dir={dir}
      aria-label={t('console.news.preview')}
      className="mx-auto flex w-full max-w-[44rem] min-w-0 flex-col gap-4 text-body"
    >
      <h3 className="text-last font-semibold break-words">{text.title}</h3>
      {text.abstract !== '' && <p className="text-t2">{text.abstract}</p>}
      {cover !== '' && (
        <img src={addressOfPicture(cover)} alt="" className="max-h-80 w-full rounded-panel object-cover" />
      )}
      <NewsContent html={text.content} className="prose-news flex flex-col gap-3 break-words" />
      {link !== '' && <p className="text-t2 break-all">{link}</p>}
    </article>
  );
}
