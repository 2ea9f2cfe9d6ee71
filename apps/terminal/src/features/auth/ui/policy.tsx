import { useTranslation } from 'react-i18next';

/** What the checkbox of the registration refers to. */
export default function Policy() {
  const { t } = useTranslation();
  return (
    <article className="mx-auto flex max-w-[44rem] flex-col gap-4 px-4 py-8 text-body">
      <h1 className="text-last font-semibold">{t('account.policyTitle')}</h1>
      {[1, 2, 3, 4, 5].map((paragraph) => (
        <p key={paragraph} className="text-t2">
          {t(`account.policy${paragraph}`)}
        </p>
      ))}
    </article>
  );
}
