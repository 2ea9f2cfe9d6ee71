import { useTranslation } from 'react-i18next';
import { Segmented } from '@bourse/ui';
import { INTERVALS, type IntervalId } from './intervals.js';

/** The intervals, in a line that can be scrolled where it is narrow. */
export function ChartBar({
  interval,
  onInterval,
}: {
  interval: IntervalId;
  onInterval: (interval: IntervalId) => void;
}) {
  const { t } = useTranslation();
  return (
    <Segmented
      look="bare"
      label={t('chart.interval')}
      value={interval}
      choices={INTERVALS.map(({ id }) => ({ value: id, label: t(`interval.${id}`) }))}
      onChange={onInterval}
      className="min-w-0 overflow-x-auto py-1 max-md:basis-full md:flex-1"
    />
  );
}
