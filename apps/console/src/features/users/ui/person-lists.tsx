import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { FieldsAt } from '@bourse/api-client';
import type { PathOf } from '@bourse/contract';
import { Tabs } from '@bourse/ui';
import { useMay } from '../../../core/operator.js';
import { Section } from '../../../parts/detail.js';
import { amounts, coins, numbers, people, times, words } from '../../../parts/list-columns.js';
import { ListPage, type ListColumn, type RowAt } from '../../../parts/list-page.js';
import { Money } from '../../../parts/money.js';
import { useCoinNames } from '../../../parts/use-coin-names.js';
import { ownLegs } from '../model/journals.js';

const SHOP_STATES = [
  'console.shops.review',
  'console.shops.open',
  'console.shops.refused',
  'console.shops.closed',
] as const;

/** An operator's act arrives in the log a moment after its answer. */
const ARRIVAL_MS = 5_000;

const LISTS = [
  'acts',
  'spot',
  'lever',
  'micro',
  'deals',
  'ads',
  'acceptors',
  'savings',
  'claims',
  'deposits',
  'withdrawals',
  'complaints',
  'shops',
  'adjustments',
  'points',
  'rebates',
] as const;
type ListName = (typeof LISTS)[number];
/** The lists that support may not read. */
const OF_FINANCE: ReadonlySet<ListName> = new Set([
  'acts',
  'acceptors',
  'deposits',
  'withdrawals',
  'adjustments',
  'points',
  'rebates',
]);
const isListName = (text: string | null): text is ListName => (LISTS as readonly (string | null)[]).includes(text);

/** The person's acts and the acts on the person, one list at a time; the address names the list. */
export function PersonLists({ id }: { id: number }) {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const asked = query.get('list');
  const mayBooks = useMay('finance');
  const list: ListName = isListName(asked) && (mayBooks || !OF_FINANCE.has(asked)) ? asked : mayBooks ? 'acts' : 'spot';
  return (
    <Section title={t('console.users.history')}>
      <Tabs
        label={t('console.users.history')}
        tabs={LISTS.filter((name) => mayBooks || !OF_FINANCE.has(name)).map((name) => ({
          id: name,
          label: t(`console.users.list.${name}`),
        }))}
        value={list}
        onChange={(name) => setQuery({ list: name }, { replace: true })}
        panelClassName="pt-3"
      >
        <Chosen key={list} list={list} id={id} />
      </Tabs>
    </Section>
  );
}

function Chosen({ list, id }: { list: ListName; id: number }) {
  const { t } = useTranslation();
  const nameOf = useCoinNames();
  const own = { user_id: String(id) };
  const side = (type: 1 | 2, one: string, other: string): string => t(type === 1 ? one : other);
  const { text, amount, coin, count, who, time } = columnsWith(t);
  switch (list) {
    case 'acts':
      return (
        <Rows<'/api/admin/audit'>
          list={list}
          path="/api/admin/audit"
          fields={own}
          everyMs={ARRIVAL_MS}
          rowKey={(row) => String(row.id)}
          columns={[
            time('console.people.time', (row) => row.time),
            text('console.people.operator', ({ operator }) => operator),
            text('console.people.act', ({ action }) => action),
            text('audit.target', ({ target }) => target),
            text('console.people.reason', ({ reason }) => reason),
            text('console.people.before', ({ before }) => before, true),
            text('console.people.after', ({ after }) => after, true),
          ]}
        />
      );
    case 'spot':
      return (
        <Rows<'/api/admin/orders/spot'>
          list={list}
          path="/api/admin/orders/spot"
          fields={own}
          rowKey={(row) => row.id}
          columns={[
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
          ]}
        />
      );
    case 'lever':
      return (
        <Rows<'/api/admin/orders/lever'>
          list={list}
          path="/api/admin/orders/lever"
          fields={own}
          rowKey={(row) => row.id}
          columns={[
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
          ]}
        />
      );
    case 'micro':
      return (
        <Rows<'/api/admin/orders/micro'>
          list={list}
          path="/api/admin/orders/micro"
          fields={own}
          rowKey={(row) => row.id}
          columns={[
            count('console.people.id', (row) => row.id),
            text('console.people.market', (row) => row.symbol_name),
            text('console.people.side', ({ type }) => side(type, 'console.people.up', 'console.people.down')),
            count('console.people.seconds', (row) => row.seconds),
            coin('console.people.amount', (row) => [row.number, row.currency_name]),
            text('console.people.result', ({ result }) => result),
            amount('console.people.profit', (row) => row.fact_profits),
            time('console.people.time', (row) => row.create_time),
          ]}
        />
      );
    case 'deals':
      return (
        <Rows<'/api/admin/c2c_orders'>
          list={list}
          path="/api/admin/c2c_orders"
          fields={own}
          rowKey={(row) => row.id}
          columns={[
            count('console.people.id', (row) => row.id),
            text('console.people.kind', (row) => t(`console.c2c.${row.kind}`)),
            coin('console.people.amount', (row) => [row.number, row.currency_name]),
            coin('console.people.money', (row) => [row.deal_money, row.coin_code]),
            text('console.people.state', (row) => t(`console.c2c.sure.${row.is_sure}`)),
            text('console.people.appeal', (row) => t(`console.c2c.appeal.${row.appeal}`)),
            time('console.people.time', (row) => row.format_create_time),
          ]}
        />
      );
    case 'ads':
      return (
        <Rows<'/api/admin/c2c_ads'>
          list={list}
          path="/api/admin/c2c_ads"
          fields={own}
          rowKey={(row) => String(row.id)}
          columns={[
            count('console.people.id', (row) => row.id),
            text('console.people.kind', (row) => t(`console.c2c.${row.kind}`)),
            text('console.people.side', (row) => t(`console.people.${row.type}`)),
            amount('console.c2c.left', (row) => row.surplus_number),
            amount('console.people.amount', (row) => row.total_number),
            text('console.people.coin', (row) => row.currency_name),
            coin('console.people.price', (row) => [row.price, row.coin_code]),
            text('console.people.state', (row) => t(`console.c2c.status.${row.status}`)),
            time('console.people.time', (row) => row.create_time),
          ]}
        />
      );
    case 'acceptors':
      return (
        <Rows<'/api/admin/acceptor_deals'>
          list={list}
          path="/api/admin/acceptor_deals"
          fields={own}
          rowKey={(row) => row.id}
          columns={[
            count('console.people.id', (row) => row.id),
            text('console.people.kind', ({ type }) => t(`console.acceptors.is.${type}`)),
            who('console.people.person', (row) => row.user_id),
            who('console.users.acceptor', (row) => row.acceptor_user_id),
            amount('console.people.money', (row) => row.money),
            text('console.people.state', ({ is_sure: sure, stage }) =>
              t(sure === 0 ? `console.acceptors.stage.${stage}` : `console.acceptors.sure.${sure}`),
            ),
            time('console.people.time', (row) => row.create_time),
          ]}
        />
      );
    case 'savings':
      return (
        <Rows<'/api/admin/savings'>
          list={list}
          path="/api/admin/savings"
          fields={own}
          rowKey={(row) => row.id}
          columns={[
            count('console.people.id', (row) => row.id),
            coin('console.people.amount', (row) => [row.amount, row.currency_name]),
            count('console.people.days', (row) => row.day),
            amount('console.people.profit', (row) => row.profit),
            text('console.people.state', (row) => t(`console.users.savings.${row.status}`)),
            time('console.people.end', (row) => row.end_at),
            time('console.people.time', (row) => row.created_at),
          ]}
        />
      );
    case 'claims':
      return (
        <Rows<'/api/admin/claims'>
          list={list}
          path="/api/admin/claims"
          fields={own}
          rowKey={(row) => row.id}
          columns={[
            count('console.people.id', (row) => row.id),
            count('console.users.policy', (row) => row.insurance_id),
            amount('console.people.amount', (row) => row.amount),
            text('console.people.state', (row) => t(`console.users.claim.${row.status}`)),
            time('console.people.time', (row) => row.created_at),
          ]}
        />
      );
    case 'shops':
      return (
        <Rows<'/api/admin/shops'>
          list={list}
          path="/api/admin/shops"
          fields={own}
          rowKey={(row) => String(row.id)}
          columns={[
            count('console.people.id', (row) => row.id),
            text('console.shops.name', ({ name }) => name),
            text('console.people.coin', (row) => row.currency_name),
            text('console.shops.level', ({ level }) => t(`console.shops.is.${level}`)),
            text('console.people.state', ({ status }) => t(SHOP_STATES[status])),
            time('console.people.time', (row) => row.create_time),
          ]}
        />
      );
    case 'adjustments':
      return (
        <Rows<'/api/admin/adjustments'>
          list={list}
          path="/api/admin/adjustments"
          fields={own}
          rowKey={(row) => String(row.id)}
          columns={[
            count('console.people.id', (row) => row.id),
            text('console.people.accountType', ({ account }) => account),
            coin('console.people.amount', (row) => [row.amount, nameOf(row.currency_id)]),
            text('console.people.reason', ({ note }) => note),
            text('console.people.state', ({ state }) => t(`approval.${state}`, state)),
            text('approval.by', (row) => row.created_by),
            time('console.people.time', (row) => row.create_time),
          ]}
        />
      );
    case 'deposits':
      return <Bookings id={id} cause="deposit" />;
    case 'withdrawals':
      return <Bookings id={id} cause="withdrawal" />;
    case 'points':
      return <Bookings id={id} cause="points_exchange" />;
    case 'rebates':
      return <Bookings id={id} cause="rebate" />;
    case 'complaints':
      return (
        <Rows<'/api/admin/complaints'>
          list={list}
          path="/api/admin/complaints"
          fields={own}
          rowKey={(row) => String(row.id)}
          columns={[
            count('console.people.id', (row) => row.id),
            text('console.complaints.subject', ({ subject }) => subject),
            text('console.people.state', ({ state }) => t(`console.complaints.is.${state}`)),
            time('console.people.time', (row) => row.create_time),
          ]}
        />
      );
  }
}

/** Causes whose journals make a list of their own. */
const BOOKED = {
  deposit: 'deposits',
  withdrawal: 'withdrawals',
  points_exchange: 'points',
  rebate: 'rebates',
} as const satisfies Record<string, ListName>;
type Cause = keyof typeof BOOKED;

/** The journals of one cause for the person; the list of causes shows the state of each object. */
function Bookings({ id, cause }: { id: number; cause: Cause }) {
  const { t } = useTranslation();
  const { text, count, time } = columnsWith(t);
  return (
    <Rows<'/api/admin/journals'>
      list={BOOKED[cause]}
      path="/api/admin/journals"
      fields={{ user_id: String(id), cause_type: cause }}
      rowKey={(row) => row.id}
      columns={[
        count('console.people.id', (row) => row.cause_id),
        text('console.people.journal', (row) => row.id, true),
        {
          id: 'console.people.amount',
          label: t('console.people.amount'),
          cell: (row) =>
            ownLegs(row, id).map(({ account, state, amount: size, currency }) => (
              <div key={`${account} ${state} ${currency}`}>
                {account} {state} <Money amount={size} currency={currency} />
              </div>
            )),
          csv: (row) =>
            ownLegs(row, id)
              .map(({ account, state, amount: size, currency }) => `${account} ${state} ${size} ${currency}`)
              .join('; '),
        },
        time('console.people.time', (row) => row.time),
      ]}
    />
  );
}

/** Columns under the name of their text. */
const columnsWith = (t: (key: string) => string) => ({
  text: <Row,>(key: string, of: (row: Row) => string, wide = false): ListColumn<Row> => ({
    ...words(key, t(key), of),
    wide,
  }),
  amount: <Row,>(key: string, of: (row: Row) => string): ListColumn<Row> => amounts(key, t(key), of),
  coin: <Row,>(key: string, of: (row: Row) => readonly [amount: string, coin: string]): ListColumn<Row> =>
    coins(key, t(key), of),
  count: <Row,>(key: string, of: (row: Row) => string | number): ListColumn<Row> => numbers(key, t(key), of),
  who: <Row,>(key: string, of: (row: Row) => number): ListColumn<Row> => people(key, t(key), of),
  time: <Row,>(key: string, of: (row: Row) => string): ListColumn<Row> => times(key, t(key), of),
});

interface RowsProps<P extends PathOf<'GET'>> {
  readonly list: ListName;
  readonly path: P;
  readonly fields: FieldsAt<'GET', P>;
  readonly rowKey: (row: RowAt<P>) => string;
  readonly columns: readonly ListColumn<RowAt<P>>[];
  readonly everyMs?: number;
}
/** One list of the person, page by page. A role that may not read it gets the server's refusal. */
function Rows<P extends PathOf<'GET'>>({ list, fields, ...more }: RowsProps<P>) {
  const { t } = useTranslation();
  return (
    <ListPage<P>
      inside
      name={`person.${list}`}
      title={t('console.people.tableOf', { of: t(`console.users.list.${list}`) })}
      fixed={fields}
      empty={t('console.people.nothing')}
      {...more}
    />
  );
}
