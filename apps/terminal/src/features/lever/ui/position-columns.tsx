import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { LeverPosition, QuotationItem } from '@bourse/contract';
import { atMost, Change, formatBookPrice, grouped, Num, stackedHeader, type Column } from '@bourse/ui';
import { FeedChip } from '../../../parts/feed-chip.js';
import { Time } from '../../../parts/time.js';
import { roiOf } from '../model/positions.js';
import { Signed } from './signed.js';
import { PositionSide } from './position-side.js';
import { scalesOfRow } from './use-pairs.js';

export type Pairs = ReadonlyMap<string, QuotationItem>;
type Columns = Column<LeverPosition>[];
type Words = (key: string) => string;

/** The pair with the kind of its price, below it the side and the multiple: these identify a row. */
const head = (t: Words, pairs: Pairs): Columns => [
  {
    id: 'pair',
    header: t('orders.pair'),
    card: 'title',
    cell: (row) => (
      <>
        <span className="flex items-center gap-1">
          <Link className="font-medium hover:underline" to={`/leverRecord?id=${row.id}`}>
            <Num>{row.symbol}</Num>
          </Link>
          <FeedChip feed={pairs.get(row.symbol)?.feed ?? 'live'} />
        </span>
        <PositionSide type={row.type} className="block whitespace-nowrap">
          <Num>{row.multiple}×</Num>
        </PositionSide>
      </>
    ),
  },
];
const hands = (t: Words): Columns => [
  {
    id: 'hands',
    header: t('lever.hands'),
    end: true,
    cell: (row) => (
      <>
        <Num className="block">{grouped(String(row.share))}</Num>
        <Num className="block text-t2">{`${grouped(atMost(row.number, 8))} ${row.currency}`}</Num>
      </>
    ),
  },
];
/** A price in the decimals of its pair; a dash for none. */
const priceText = (text: string, symbol: string, pairs: Pairs): string =>
  /[1-9]/.test(text) ? formatBookPrice(text, scalesOfRow(pairs.get(symbol)).price_scale) : '–';
const marginText = (row: LeverPosition): string => grouped(atMost(row.caution_money, 8));
const margin = (t: Words): Columns[number] => ({
  id: 'margin',
  header: t('lever.margin'),
  end: true,
  cell: (row) => <Num>{marginText(row)}</Num>,
});
/** The result in the quote currency and in percent of the margin; empty for a position that never opened. */
const profit = (t: Words, unit: (row: LeverPosition) => string | undefined = () => undefined): Columns[number] => ({
  id: 'profit',
  ...stackedHeader(t('lever.profit'), t('lever.roi')),
  end: true,
  cell: (row) => (row.status === 0 || row.status === 4 ? '–' : <Result row={row} unit={unit(row)} />),
});
/** Two prices, one above the other, so that both have room in any window. */
const prices = (
  id: string,
  [upper, lower]: readonly [string, string],
  pairs: Pairs,
  read: (row: LeverPosition) => readonly [string, string],
): Columns[number] => ({
  id,
  ...stackedHeader(upper, lower),
  end: true,
  cell: (row) =>
    read(row).map((at, index) => (
      <Num key={index} className="block whitespace-nowrap">
        {priceText(at, row.symbol, pairs)}
      </Num>
    )),
});
/** The liquidation price above the margin, so that all headers have room beside the order book. */
const liquidation = (t: Words, pairs: Pairs): Columns[number] => ({
  id: 'liquidation',
  ...stackedHeader(t('lever.liquidation'), t('lever.margin')),
  end: true,
  cell: (row) => (
    <>
      <Num className="block">{priceText(row.liquidation_price, row.symbol, pairs)}</Num>
      <Num className="block text-t2">{marginText(row)}</Num>
    </>
  ),
});
/** Target and stop price. The stop dialog and the chart lines show their expected results. */
const stops = (t: Words, pairs: Pairs): Columns[number] =>
  prices('stops', [t('lever.target'), t('lever.stop')], pairs, (row) => [row.target_profit_price, row.stop_loss_price]);

function Result({ row, unit }: { row: LeverPosition; unit: string | undefined }) {
  const roi = roiOf(row);
  return (
    <>
      <span className="block whitespace-nowrap">
        <Signed {...(unit !== undefined && { unit })}>{row.profits}</Signed>
      </span>
      {roi !== '' && (
        <span className="block text-label whitespace-nowrap">
          <Change value={roi} />
        </span>
      )}
    </>
  );
}

/** Columns of open positions. */
export function useOpenColumns(pairs: Pairs): Columns {
  const { t } = useTranslation();
  return [
    ...head(t, pairs),
    profit(t),
    ...hands(t),
    prices('price', [t('lever.openPrice'), t('lever.mark')], pairs, (row) => [row.price, row.update_price]),
    liquidation(t, pairs),
    stops(t, pairs),
  ];
}
/** Columns of entrusts that wait for their price. */
export function usePendingColumns(pairs: Pairs): Columns {
  const { t } = useTranslation();
  return [
    ...head(t, pairs),
    ...hands(t),
    prices('price', [t('ticket.price'), t('lever.mark')], pairs, (row) => [row.origin_price, row.update_price]),
    stops(t, pairs),
    { ...margin(t), priority: 'wide' },
    { id: 'time', header: t('orders.time'), cell: (row) => <Time>{row.create_time}</Time> },
  ];
}
/** Columns of what is over, or of all states. */
export function useHistoryColumns(pairs: Pairs): Columns {
  const { t } = useTranslation();
  return [
    { id: 'time', header: t('orders.time'), cell: (row) => <Time>{row.time}</Time> },
    ...head(t, pairs),
    ...hands(t),
    prices('price', [t('lever.openPrice'), t('lever.closePrice')], pairs, (row) => [
      row.price,
      row.status === 3 ? row.update_price : '',
    ]),
    profit(t, (row) => row.legal),
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
