import { useTranslation } from 'react-i18next';
import type { Bar, QuotationItem } from '@bourse/contract';
import { Dialog, formatFitting, grouped, Num, Table } from '@bourse/ui';
import { FeedChip } from '../../parts/feed-chip.js';
import { barTime } from './bar-time.js';
import type { IntervalId } from './intervals.js';
import { barTexts } from './keyboard.js';
import { isSimulated, type BarHistory } from './simulated.js';

/** Bars as figures; what shows no market says so. */
export function BarsTable({
  history: { bars, simulatedBefore },
  pair,
  interval,
  onClose,
}: {
  history: BarHistory;
  pair: Pick<QuotationItem, 'symbol' | 'price_scale'>;
  interval: IntervalId;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const title = t('chart.tableTitle', { pair: pair.symbol });
  return (
    <Dialog open wide onClose={onClose} title={title} closeLabel={t('common.close')}>
      <Table
        label={title}
        rows={bars}
        rowKey={(bar) => String(bar.time)}
        empty={t('common.loadFailed')}
        className="max-h-[60vh]"
        columns={[
          {
            id: 'time',
            header: t('tape.time'),
            cell: (bar) => (
              <span className="inline-flex items-center gap-1">
                <Num>{barTime(bar.time, interval)}</Num>
                {isSimulated(bar, simulatedBefore) && <FeedChip feed="simulated" />}
              </span>
            ),
          },
          ...(['open', 'high', 'low', 'close', 'change'] as const).map((id) => ({
            id,
            header: t(`chart.${id}`),
            end: true,
            cell: (bar: Bar) => <Num>{grouped(barTexts(bar, pair.price_scale)[id])}</Num>,
          })),
          {
            id: 'volume',
            header: t('chart.barVolume'),
            end: true,
            cell: (bar) => <Num>{formatFitting(bar.volume.toFixed(4), 4, 12)}</Num>,
          },
        ]}
      />
    </Dialog>
  );
}
