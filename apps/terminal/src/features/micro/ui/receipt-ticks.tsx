import { useTranslation } from 'react-i18next';
import { Badge, clockTime, grouped, Num, Panel, Table } from '@bourse/ui';
import { AddressText } from '../../../parts/address-text.js';
import { medianTick, type ReceiptFile } from '../model/receipt.js';
import { TickPicture } from './tick-picture.js';

/** The ticks that opened and judged a contract: as a picture, and as figures with their hashes. */
export function ReceiptTicks({ file: { receipt, chain } }: { file: ReceiptFile }) {
  const { t } = useTranslation();
  const { open_tick: opening, ticks } = receipt;
  const median = medianTick(ticks);
  const rows = opening ? [opening, ...ticks.filter(({ id }) => id !== opening.id)] : ticks;
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <h2 className="text-title font-semibold">{t('micro.ticksTitle')}</h2>
      <p className="max-w-prose text-t2">{t('micro.medianText')}</p>
      <TickPicture ticks={chain.ticks} judging={ticks} median={median} openPrice={receipt.order.open_price} />
      <Table
        label={t('micro.ticksTitle')}
        rows={rows}
        rowKey={({ id }) => id}
        empty={t('micro.noTicks')}
        columns={[
          {
            id: 'what',
            header: t('micro.tickRole'),
            card: 'title',
            cell: (tick) => (
              <span className="inline-flex gap-1">
                {tick.id === opening?.id && <Badge tone="info">{t('micro.openingTick')}</Badge>}
                {tick.id === median?.id && <Badge tone="accent">{t('micro.median')}</Badge>}
                {ticks.some(({ id }) => id === tick.id) && <Badge>{t('micro.judging')}</Badge>}
              </span>
            ),
          },
          { id: 'id', header: t('micro.tickNumber'), end: true, cell: (tick) => <Num>{tick.id}</Num> },
          { id: 'time', header: t('orders.time'), end: true, cell: (tick) => <Num>{clockTime(tick.time)}</Num> },
          { id: 'price', header: t('orders.price'), end: true, cell: (tick) => <Num>{grouped(tick.price)}</Num> },
          {
            id: 'prev',
            header: t('micro.prevHash'),
            end: true,
            priority: 'wide',
            cell: (tick) => <AddressText className="text-t2">{tick.prev_hash}</AddressText>,
          },
          { id: 'hash', header: t('micro.hash'), end: true, cell: (tick) => <AddressText>{tick.hash}</AddressText> },
        ]}
      />
    </Panel>
  );
}
