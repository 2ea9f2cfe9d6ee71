import { useTranslation } from 'react-i18next';

/** Names of the three columns of the book and the tape; the place of the marks is before or after them. */
export function LiveHead({
  pair,
  third,
  before,
  after,
}: {
  pair: { readonly legal_name: string; readonly currency_name: string };
  third: string;
  before?: string;
  after?: string;
}) {
  const { t } = useTranslation();
  return (
    <div role="row" className="flex h-7 items-center gap-2 px-3 text-label text-t2">
      {before !== undefined && (
        <span role="columnheader" className="w-4 shrink-0">
          {before}
        </span>
      )}
      <span role="columnheader" className="min-w-0 flex-[1.5] truncate">
        {t('book.price', { coin: pair.legal_name })}
      </span>
      {/* A long name takes of the room beside the price; the figures below stay under its end. */}
      <span role="columnheader" className="flex min-w-0 flex-1 justify-end whitespace-nowrap">
        {t('book.amount', { coin: pair.currency_name })}
      </span>
      <span role="columnheader" className="min-w-0 flex-1 truncate text-end">
        {third}
      </span>
      {after !== undefined && (
        <span role="columnheader" className="w-4 shrink-0">
          <span className="sr-only">{after}</span>
        </span>
      )}
    </div>
  );
}
