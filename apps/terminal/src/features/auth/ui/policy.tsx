import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';

/** Parts of the page with the numbers of their sentences; a link names a part by its id. */
const PARTS = [
  { id: 'terms', sentences: [1, 2, 3, 4, 5] },
  { id: 'privacy', sentences: [1, 2, 3, 4] },
  { id: 'risk', sentences: [1, 2, 3, 4] },
] as const;

/** The texts that the registration's checkbox refers to: terms, privacy and risk. */
export default function Policy() {
  const { t } = useTranslation();
  const { hash } = useLocation();
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  return (
    <article className="mx-auto flex max-w-[44rem] flex-col gap-8 px-4 py-8 text-body">
      <header className="flex flex-col gap-3">
        <h1 className="text-last font-semibold">{t('policy.title')}</h1>
        <p className="text-t2">{t('policy.lead')}</p>
        <nav aria-label={t('policy.title')} className="flex flex-wrap gap-x-4 gap-y-1">
          {PARTS.map(({ id }) => (
            <a key={id} href={`#${id}`} className="underline hover:text-t2">
              {t(`policy.${id}.title`)}
            </a>
          ))}
        </nav>
      </header>
      {PARTS.map(({ id, sentences }) => (
        <section key={id} id={id} aria-labelledby={`${id}-title`} className="flex scroll-mt-16 flex-col gap-3">
          <h2 id={`${id}-title`} className="text-title font-semibold">
            {t(`policy.${id}.title`)}
          </h2>
          <ol className="flex list-decimal flex-col gap-2 ps-5 text-t2">
            {sentences.map((number) => (
              <li key={number}>{t(`policy.${id}.${number}`)}</li>
            ))}
          </ol>
        </section>
      ))}
    </article>
  );
}
