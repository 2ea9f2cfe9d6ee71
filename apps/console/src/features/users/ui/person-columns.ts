import { useTranslation } from 'react-i18next';
import type { PathOf } from '@bourse/contract';
import { amounts, coins, numbers, people, times, words } from '../../../parts/list-columns.js';
import type { ListColumn, RowAt } from '../../../parts/list-page.js';

const SHOP_STATES = [
  'console.shops.review',
  'console.shops.open',
  'console.shops.refused',
  'console.shops.closed',
] as const;

/** Columns whose id is the key of their label. */
export function useColumns() {
  const { t } = useTranslation();
  return {
    t,
    side: (type: 1 | 2, one: string, other: string): string => t(type === 1 ? one : other),
    text: <Row>(key: string, of: (row: Row) => string, wide = false): ListColumn<Row> => ({
      ...words(key, t(key), of),
      wide,
    }),
    amount: <Row>(key: string, of: (row: Row) => string): ListColumn<Row> => amounts(key, t(key), of),
    coin: <Row>(key: string, of: (row: Row) => readonly [amount: string, coin: string]): ListColumn<Row> =>
      coins(key, t(key), of),
    count: <Row>(key: string, of: (row: Row) => string | number): ListColumn<Row> => numbers(key, t(key), of),
    who: <Row>(key: string, of: (row: Row) => number): ListColumn<Row> => people(key, t(key), of),
    time: <Row>(key: string, of: (row: Row) => string): ListColumn<Row> => times(key, t(key), of),
  };
}
type Columns = ReturnType<typeof useColumns>;
type ColumnsOf<P extends PathOf<'GET'>> = readonly ListColumn<RowAt<P>>[];

export const actColumns = ({ text, time }: Columns): ColumnsOf<'/api/admin/audit'> => [
  time('console.people.time', (row) => row.time),
  text('console.people.operator', ({ operator }) => operator),
  text('console.people.act', ({ action }) => action),
  text('audit.target', ({ target }) => target),
  text('console.people.reason', ({ reason }) => reason),
  text('console.people.before', ({ before }) => before, true),
  text('console.people.after', ({ after }) => after, true),
];

export const spotColumns = ({ text, amount, count, time, t, side }: Columns): ColumnsOf<'/api/admin/orders/spot'> => [
  count('console.people.id', (row) => row.id),
  text('console.people.market', ({ symbol }) => symbol),
  text('console.people.side', ({ type }) => side(type, 'console.people.buy', 'console.people.sell')),
  text('console.people.kind', ({ order_type: kind }) => kind, true),
  amount('console.people.amount', (row) => row.trade_amount),
  amount('console.people.filled', (row) => row.filled_amount),
  amount('console.people.price', (row) => row.target_price),
  text('console.people.state', ({ status, cancelled }) =>
    t(status === 1 ? 'console.people.open' : cancelled ? 'console.people.cancelled' : 'console.people.done'),
  ),
  time('console.people.time', (row) => row.created_at),
];

export const leverColumns = ({ text, amount, count, time, side }: Columns): ColumnsOf<'/api/admin/orders/lever'> => [
  count('console.people.id', (row) => row.id),
  text('console.people.market', ({ symbol }) => symbol),
  text('console.people.side', ({ type }) => side(type, 'console.people.long', 'console.people.short')),
  amount('console.people.amount', (row) => row.number),
  count('console.people.multiple', (row) => row.multiple),
  amount('console.people.price', (row) => row.price),
  amount('console.people.margin', (row) => row.caution_money),
  amount('console.people.profit', (row) => row.profits),
  text('console.people.state', (row) => row.status_name),
  time('console.people.time', (row) => row.create_time),
];

export const microColumns = ({
  text,
  amount,
  coin,
  count,
  time,
  side,
}: Columns): ColumnsOf<'/api/admin/orders/micro'> => [
  count('console.people.id', (row) => row.id),
  text('console.people.market', (row) => row.symbol_name),
  text('console.people.side', ({ type }) => side(type, 'console.people.up', 'console.people.down')),
  count('console.people.seconds', (row) => row.seconds),
  coin('console.people.amount', (row) => [row.number, row.currency_name]),
  text('console.people.result', ({ result }) => result),
  amount('console.people.profit', (row) => row.fact_profits),
  time('console.people.time', (row) => row.create_time),
];

export const dealColumns = ({ text, coin, count, time, t }: Columns): ColumnsOf<'/api/admin/c2c_orders'> => [
  count('console.people.id', (row) => row.id),
  text('console.people.kind', (row) => t(`console.c2c.${row.kind}`)),
  coin('console.people.amount', (row) => [row.number, row.currency_name]),
  coin('console.people.money', (row) => [row.deal_money, row.coin_code]),
  text('console.people.state', (row) => t(`console.c2c.sure.${row.is_sure}`)),
  text('console.people.appeal', (row) => t(`console.c2c.appeal.${row.appeal}`)),
  time('console.people.time', (row) => row.format_create_time),
];

export const adColumns = ({ text, amount, coin, count, time, t }: Columns): ColumnsOf<'/api/admin/c2c_ads'> => [
  count('console.people.id', (row) => row.id),
  text('console.people.kind', (row) => t(`console.c2c.${row.kind}`)),
  text('console.people.side', (row) => t(`console.people.${row.type}`)),
  amount('console.c2c.left', (row) => row.surplus_number),
  amount('console.people.amount', (row) => row.total_number),
  text('console.people.coin', (row) => row.currency_name),
  coin('console.people.price', (row) => [row.price, row.coin_code]),
  text('console.people.state', (row) => t(`console.c2c.status.${row.status}`)),
  time('console.people.time', (row) => row.create_time),
];

export const acceptorDealColumns = ({
  text,
  amount,
  count,
  who,
  time,
  t,
}: Columns): ColumnsOf<'/api/admin/acceptor_deals'> => [
  count('console.people.id', (row) => row.id),
  text('console.people.kind', ({ type }) => t(`console.acceptors.is.${type}`)),
  who('console.people.person', (row) => row.user_id),
  who('console.users.acceptor', (row) => row.acceptor_user_id),
  amount('console.people.money', (row) => row.money),
  text('console.people.state', ({ is_sure: sure, stage }) =>
    t(sure === 0 ? `console.acceptors.stage.${stage}` : `console.acceptors.sure.${sure}`),
  ),
  time('console.people.time', (row) => row.create_time),
];

export const savingsColumns = ({ text, amount, coin, count, time, t }: Columns): ColumnsOf<'/api/admin/savings'> => [
  count('console.people.id', (row) => row.id),
  coin('console.people.amount', (row) => [row.amount, row.currency_name]),
  count('console.people.days', (row) => row.day),
  amount('console.people.profit', (row) => row.profit),
  text('console.people.state', (row) => t(`console.users.savings.${row.status}`)),
  time('console.people.end', (row) => row.end_at),
  time('console.people.time', (row) => row.created_at),
];

export const claimColumns = ({ text, amount, count, time, t }: Columns): ColumnsOf<'/api/admin/claims'> => [
  count('console.people.id', (row) => row.id),
  count('console.users.policy', (row) => row.insurance_id),
  amount('console.people.amount', (row) => row.amount),
  text('console.people.state', (row) => t(`console.users.claim.${row.status}`)),
  time('console.people.time', (row) => row.created_at),
];

export const shopColumns = ({ text, count, time, t }: Columns): ColumnsOf<'/api/admin/shops'> => [
  count('console.people.id', (row) => row.id),
  text('console.shops.name', ({ name }) => name),
  text('console.people.coin', (row) => row.currency_name),
  text('console.shops.level', ({ level }) => t(`console.shops.is.${level}`)),
  text('console.people.state', ({ status }) => t(SHOP_STATES[status])),
  time('console.people.time', (row) => row.create_time),
];

export const adjustmentColumns = (
  { text, coin, count, time, t }: Columns,
  nameOf: (currency: number) => string,
): ColumnsOf<'/api/admin/adjustments'> => [
  count('console.people.id', (row) => row.id),
  text('console.people.accountType', ({ account }) => account),
  coin('console.people.amount', (row) => [row.amount, nameOf(row.currency_id)]),
  text('console.people.reason', ({ note }) => note),
  text('console.people.state', ({ state }) => t(`approval.${state}`, state)),
  text('approval.by', (row) => row.created_by),
  time('console.people.time', (row) => row.create_time),
];

export const complaintColumns = ({ text, count, time, t }: Columns): ColumnsOf<'/api/admin/complaints'> => [
  count('console.people.id', (row) => row.id),
  text('console.complaints.subject', ({ subject }) => subject),
  text('console.people.state', ({ state }) => t(`console.complaints.is.${state}`)),
  time('console.people.time', (row) => row.create_time),
];
