import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { LeverPosition, QuotationItem } from '@bourse/contract';
import { atMost, cx, formatBookPrice, grouped, Num, type Column } from '@bourse/ui';
import { FeedChip } from '../../../parts/feed-chip.js';
import { Time } from '../../../parts/time.js';
import { Signed } from './signed.js';
import { scalesOfRow } from './use-pairs.js';

export type Pairs = ReadonlyMap<string, QuotationItem>;
type Columns = Column<LeverPosition>[];
type Words = (key: string) => string;

/** The pair with the kind of its price, the side and the multiple: what tells rows apart. */
const head = (t: Words, pairs: Pairs): Columns => [
  {
    id: 'pair',
    header: t('orders.pair'),
    card: 'title',
    cell: (row) => (
      <span className="inline-flex items-center gap-1">
        <Link className="font-medium hover:underline" to={`/leverRecord?id=${row.id}`}>
          <Num>{row.symbol}</Num>
        </Link>
        <FeedChip feed={pairs.get(row.symbol)?.feed ?? 'live'} />
      </span>
    ),
  },
  {
    id: 'side',
    header: t('orders.side'),
    card: 'title',
    cell: (row) => (
      <span className={cx('whitespace-nowrap', row.type === 1 ? 'text-up' : 'text-down')}>
        {t(row.type === 1 ? 'lever.long' : 'lever.short')} <Num>{row.multiple}×</Num>
      </span>
    ),
  },
];
const hands = (t: Words): Columns => [
  {
    id: 'hands',
    header: t('lever.hands'),
    end: true,
    cell: (row) => (
      <Num>
        {row.share} · {grouped(atMost(row.number, 8))}
      </Num>
    ),
  },
];
const price = (id: string, header: string, pairs: Pairs, read: (row: LeverPosition) => string): Columns[number] => ({
  id,
  header,
  end: true,
  cell: (row) => {
    const text = read(row);
    return (
      <Num>{/[1-9]/.test(text) ? formatBookPrice(text, scalesOfRow(pairs.get(row.symbol)).price_scale) : '–'}</Num>
    );
  },
});
const margin = (t: Words): Columns[number] => ({
  id: 'margin',
  header: t('lever.margin'),
  end: true,
  cell: (row) => <Num>{grouped(atMost(row.caution_money, 8))}</Num>,
});
const profit = (t: Words): Columns[number] => ({
  id: 'profit',
  header: t('lever.profit'),
  end: true,
  cell: (row) => <Signed>{row.profits}</Signed>,
});
/** Target and stop, one above the other; what they are expected to bring stands in their box and at their lines. */
const stops = (t: Words, pairs: Pairs): Columns[number] => ({
  id: 'stops',
  header: (
    <span className="ms-auto block w-24 whitespace-normal">
      {t('lever.target')} / {t('lever.stop')}
    </span>
  ),
  cardHeader: `${t('lever.target')} / ${t('lever.stop')}`,
  end: true,
  cell: (row) =>
    [row.target_profit_price, row.stop_loss_price].map((at, index) => (
      <Num key={index} className="block whitespace-nowrap">
        {/[1-9]/.test(at) ? formatBookPrice(at, scalesOfRow(pairs.get(row.symbol)).price_scale) : '–'}
      </Num>
    )),
});

/** Columns of open positions. */
export function useOpenColumns(pairs: Pairs): Columns {
  const { t } = useTranslation();
  return [
    ...head(t, pairs),
    ...hands(t),
    price('price', t('lever.openPrice'), pairs, (row) => row.price),
    price('mark', t('lever.mark'), pairs, (row) => row.update_price),
    price('liquidation', t('lever.liquidation'), pairs, (row) => row.liquidation_price),
    { ...margin(t), priority: 'wide' },
    profit(t),
    { ...stops(t, pairs), priority: 'wide' },
  ];
}
/** Columns of entrusts that wait for their price. */
export function usePendingColumns(pairs: Pairs): Columns {
  const { t } = useTranslation();
  return [
    ...head(t, pairs),
    ...hands(t),
    price('price', t('ticket.price'), pairs, (row) => row.origin_price),
    price('mark', t('lever.mark'), pairs, (row) => row.update_price),
    margin(t),
    { ...stops(t, pairs), priority: 'wide' },
    { id: 'time', header: t('orders.time'), priority: 'wide', cell: (row) => <Time>{row.create_time}</Time> },
  ];
}
/** Columns of what is over, or of all states. */
export function useHistoryColumns(pairs: Pairs): Columns {
  const { t } = useTranslation();
  return [
    { id: 'time', header: t('orders.time'), priority: 'wide', cell: (row) => <Time>{row.time}</Time> },
    ...head(t, pairs),
    ...hands(t),
    price('price', t('lever.openPrice'), pairs, (row) => row.price),
    price('close', t('lever.closePrice'), pairs, (row) => (row.status === 3 ? row.update_price : '')),
    {
      id: 'profit',
      header: t('lever.profit'),
      end: true,
      cell: (row) => (row.status === 0 || row.status === 4 ? '–' : <Signed unit={row.legal}>{row.profits}</Signed>),
    },
    {
      id: 'fee',
      header: t('lever.fee'),
      end: true,
      priority: 'wide',
      cell: (row) => <Num>{grouped(atMost(row.trade_fee, 8))}</Num>,
    },
    {
      id: 'state',
      header: t('orders.state'),
      cell: (row) => t(row.status === 3 ? `lever.closedBy.${row.closed_type}` : `lever.state.${row.status}`),
    },
  ];
}
