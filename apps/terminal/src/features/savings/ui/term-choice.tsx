import { useTranslation } from 'react-i18next';
import type { SavingsConfig } from '@bourse/contract';
import { CardChoice } from '../../../parts/card-choice.js';
import { rateText } from './money.js';

/** The terms with their interest rates. */
export function TermChoice({
  terms,
  chosen,
  onChoose,
}: {
  terms: readonly SavingsConfig[];
  chosen: SavingsConfig;
  onChoose: (id: number) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden className="text-table text-t2">
        {t('savings.term')}
      </span>
      <CardChoice
        label={t('savings.term')}
        cards={terms.map(({ id, day, interest_rate: rate }) => ({
          value: id,
          title: t('savings.days', { count: day }),
          figure: rateText(rate),
        }))}
        chosen={chosen.id}
        onChoose={onChoose}
        className="grid-cols-[repeat(auto-fit,minmax(4rem,1fr))]"
      />
    </div>
  );
}
