import { useTranslation } from 'react-i18next';
import type { Bar, QuotationItem } from '@bourse/contract';
import { Dialog, localTime, Num, Table } from '@bourse/ui';
import { barTexts } from './keyboard.js';

/** The newest bars as figures. */
export function BarsTable({
  bars,
  pair,
  onClose,
}: {
  bars: readonly Bar[];
  pair: Pick<QuotationItem, 'symbol' | 'price_scale'>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const title = t('chart.tableTitle', { pair: pair.symbol });
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t('common.close')}>
      <Table
        label={title}
        rows={bars}
        rowKey={(bar) => String(bar.time)}
        empty={t('common.loadFailed')}
        className="max-h-[60vh]"
        columns={[
          { id: 'time', header: t('tape.time'), cell: (bar) => <Num>{localTime(bar.time).slice(0, 16)}</Num> },
          ...(['open', 'high', 'low', 'close', 'change'] as const).map((id) => ({
            id,
            header: t(`chart.${id}`),
            end: true,
            cell: (bar: Bar) => <Num>{barTexts(bar, pair.price_scale)[id]}</Num>,
          })),
        ]}
      />
    </Dialog>
  );
}
