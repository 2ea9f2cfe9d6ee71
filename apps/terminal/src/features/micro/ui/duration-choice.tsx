import { useTranslation } from 'react-i18next';
import type { MicroSeconds } from '@bourse/contract';
import { atMost, Skeleton } from '@bourse/ui';
import { CardChoice } from '../../../parts/card-choice.js';
import { durationText } from './duration-text.js';

/** The durations with the profit of a win. */
export function DurationChoice({
  durations,
  chosen,
  onChoose,
}: {
  durations: readonly MicroSeconds[] | undefined;
  chosen: MicroSeconds | undefined;
  onChoose: (seconds: number) => void;
}) {
  const { t } = useTranslation();
  if (!durations) return <Skeleton className="h-28 w-full" />;
  return (
    <CardChoice
      label={t('micro.duration')}
      cards={durations.map(({ seconds, profit_ratio: profit }) => ({
        value: seconds,
        title: durationText(t, seconds),
        figure: `+${atMost(profit, 6)} %`,
      }))}
      chosen={chosen?.seconds}
      onChoose={onChoose}
      className="grid-cols-3"
    />
  );
}
