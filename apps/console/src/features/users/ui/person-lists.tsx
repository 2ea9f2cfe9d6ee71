import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type {
  AcceptorDeal,
  Ad,
  Complaint,
  DataPage,
  Deal,
  InsuranceClaim,
  LeverPosition,
  MicroOrder,
  SavingsOrder,
  SpotOrder,
} from '@bourse/contract';
import { Button, Num, Table, Tabs, type Column } from '@bourse/ui';
import { useAdminQuery } from '../../../core/calls.js';
import { useMay } from '../../../core/operator.js';
import { Section } from '../../../parts/detail.js';
import { Failed } from '../../../parts/failed.js';
import { Money } from '../../../parts/money.js';
import { PersonLink } from '../../../parts/person-link.js';
import { useCoinNames } from '../../../parts/use-coin-names.js';
import { When } from '../../../parts/when.js';
import type { Journal } from '../../../core/journal.js';
import { ownLegs } from '../model/journals.js';

interface AuditLine {
  readonly id: number;
  readonly time: string;
  readonly operator: string;
  readonly action: string;
  readonly target: string;
  readonly reason: string;
  readonly before: string;
  readonly after: string;
}

interface ShopLine {
  readonly id: number;
  readonly name: string;
  readonly currency_name: string;
  readonly level: string;
  readonly status: 0 | 1 | 2;
  readonly create_time: string;
}
const SHOP_STATES = ['console.shops.review', 'console.shops.open', 'console.shops.refused'] as const;
interface AdjustmentLine {
  readonly id: number;
  readonly account: string;
  readonly currency_id: number;
  readonly amount: string;
  readonly note: string;
  readonly state: string;
  readonly created_by: string;
  readonly create_time: string;
}

/** What an operator has just done arrives in the log a moment after its answer. */
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
/** What support may not read. */
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

/** What the person did and what was done to them, one list at a time; which one stands in the address. */
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

const number = (value: ReactNode): ReactNode => <Num>{value}</Num>;
type Line<Row> = readonly [text: string, cell: (row: Row) => ReactNode, look?: 'end' | 'wide'];

function Chosen({ list, id }: { list: ListName; id: number }) {
  const { t } = useTranslation();
  const nameOf = useCoinNames();
  const own = { user_id: String(id) };
  const side = (type: 1 | 2, one: string, other: string): string => t(type === 1 ? one : other);
  switch (list) {
    case 'acts':
      return (
        <Rows<AuditLine>
          path="/api/admin/audit"
          fields={own}
          everyMs={ARRIVAL_MS}
          rowKey={(row) => String(row.id)}
          lines={[
            ['console.people.time', ({ time }) => <When time={time} />],
            ['console.people.operator', ({ operator }) => operator],
            ['console.people.act', ({ action }) => action],
            ['audit.target', ({ target }) => <Num className="break-all">{target}</Num>],
            ['console.people.reason', ({ reason }) => reason],
            ['console.people.before', ({ before }) => <code className="break-all">{before}</code>, 'wide'],
            ['console.people.after', ({ after }) => <code className="break-all">{after}</code>, 'wide'],
          ]}
        />
      );
    case 'spot':
      return (
        <Rows<SpotOrder>
          path="/api/admin/orders/spot"
          fields={own}
          rowKey={(row) => row.id}
          lines={[
            ['console.people.id', (row) => number(row.id)],
            ['console.people.market', ({ symbol }) => symbol],
            ['console.people.side', ({ type }) => side(type, 'console.people.buy', 'console.people.sell')],
            ['console.people.kind', ({ order_type: kind }) => kind, 'wide'],
            ['console.people.amount', (row) => number(row.trade_amount), 'end'],
            ['console.people.filled', (row) => number(row.filled_amount), 'end'],
            ['console.people.price', (row) => number(row.target_price), 'end'],
            [
              'console.people.state',
              ({ status, cancelled }) =>
                t(
                  status === 1 ? 'console.people.open' : cancelled ? 'console.people.cancelled' : 'console.people.done',
                ),
            ],
            ['console.people.time', (row) => <When time={row.created_at} />],
          ]}
        />
      );
    case 'lever':
      return (
        <Rows<LeverPosition>
          path="/api/admin/orders/lever"
          fields={own}
          rowKey={(row) => row.id}
          lines={[
            ['console.people.id', (row) => number(row.id)],
            ['console.people.market', ({ symbol }) => symbol],
            ['console.people.side', ({ type }) => side(type, 'console.people.long', 'console.people.short')],
            ['console.people.amount', (row) => number(row.number), 'end'],
            ['console.people.multiple', (row) => number(`${row.multiple}×`), 'end'],
            ['console.people.price', (row) => number(row.price), 'end'],
            ['console.people.margin', (row) => number(row.caution_money), 'end'],
            ['console.people.profit', (row) => number(row.profits), 'end'],
            ['console.people.state', (row) => row.status_name],
            ['console.people.time', (row) => <When time={row.create_time} />],
          ]}
        />
      );
    case 'micro':
      return (
        <Rows<MicroOrder>
          path="/api/admin/orders/micro"
          fields={own}
          rowKey={(row) => row.id}
          lines={[
            ['console.people.id', (row) => number(row.id)],
            ['console.people.market', (row) => row.symbol_name],
            ['console.people.side', ({ type }) => side(type, 'console.people.up', 'console.people.down')],
            ['console.people.seconds', (row) => number(row.seconds), 'end'],
            ['console.people.amount', (row) => number(`${row.number} ${row.currency_name}`), 'end'],
            ['console.people.result', ({ result }) => result],
            ['console.people.profit', (row) => number(row.fact_profits), 'end'],
            ['console.people.time', (row) => <When time={row.create_time} />],
          ]}
        />
      );
    case 'deals':
      return (
        <Rows<Deal>
          path="/api/admin/c2c_orders"
          fields={own}
          rowKey={(row) => row.id}
          lines={[
            ['console.people.id', (row) => number(row.id)],
            ['console.people.kind', (row) => t(`console.c2c.${row.kind}`)],
            ['console.people.amount', (row) => number(`${row.number} ${row.currency_name}`), 'end'],
            ['console.people.money', (row) => number(`${row.deal_money} ${row.coin_code}`), 'end'],
            ['console.people.state', (row) => t(`console.c2c.sure.${row.is_sure}`)],
            ['console.people.appeal', (row) => t(`console.c2c.appeal.${row.appeal}`)],
            ['console.people.time', (row) => <When time={row.format_create_time} />],
          ]}
        />
      );
    case 'ads':
      return (
        <Rows<Ad>
          path="/api/admin/c2c_ads"
          fields={own}
          rowKey={(row) => String(row.id)}
          lines={[
            ['console.people.id', (row) => number(row.id)],
            ['console.people.kind', (row) => t(`console.c2c.${row.kind}`)],
            ['console.people.side', (row) => t(`console.people.${row.type}`)],
            ['console.people.amount', (row) => number(`${row.surplus_number} / ${row.total_number}`), 'end'],
            ['console.people.coin', (row) => row.currency_name],
            ['console.people.price', (row) => number(`${row.price} ${row.coin_code}`), 'end'],
            ['console.people.state', (row) => t(`console.c2c.status.${row.status}`)],
            ['console.people.time', (row) => <When time={row.create_time} />],
          ]}
        />
      );
    case 'acceptors':
      return (
        <Rows<AcceptorDeal & { readonly user_id: number; readonly acceptor_user_id: number }>
          path="/api/admin/acceptor_deals"
          fields={own}
          rowKey={(row) => row.id}
          lines={[
            ['console.people.id', (row) => number(row.id)],
            ['console.people.kind', ({ type }) => t(`console.acceptors.is.${type}`)],
            ['console.people.person', (row) => <PersonLink id={row.user_id} />],
            ['console.users.acceptor', (row) => <PersonLink id={row.acceptor_user_id} />],
            ['console.people.money', (row) => number(row.money), 'end'],
            [
              'console.people.state',
              ({ is_sure: sure, stage }) =>
                t(sure === 0 ? `console.acceptors.stage.${stage}` : `console.acceptors.sure.${sure}`),
            ],
            ['console.people.time', (row) => <When time={row.create_time} />],
          ]}
        />
      );
    case 'savings':
      return (
        <Rows<SavingsOrder>
          path="/api/admin/savings"
          fields={own}
          rowKey={(row) => row.id}
          lines={[
            ['console.people.id', (row) => number(row.id)],
            ['console.people.amount', (row) => number(`${row.amount} ${row.currency_name}`), 'end'],
            ['console.people.days', (row) => number(row.day), 'end'],
            ['console.people.profit', (row) => number(row.profit), 'end'],
            ['console.people.state', (row) => t(`console.users.savings.${row.status}`)],
            ['console.people.end', (row) => <When time={row.end_at} />],
            ['console.people.time', (row) => <When time={row.created_at} />],
          ]}
        />
      );
    case 'claims':
      return (
        <Rows<InsuranceClaim>
          path="/api/admin/claims"
          fields={own}
          rowKey={(row) => row.id}
          lines={[
            ['console.people.id', (row) => number(row.id)],
            ['console.users.policy', (row) => number(row.insurance_id)],
            ['console.people.amount', (row) => number(row.amount), 'end'],
            ['console.people.state', (row) => t(`console.users.claim.${row.status}`)],
            ['console.people.time', (row) => <When time={row.created_at} />],
          ]}
        />
      );
    case 'shops':
      return (
        <Rows<ShopLine>
          path="/api/admin/shops"
          fields={own}
          rowKey={(row) => String(row.id)}
          lines={[
            ['console.people.id', (row) => number(row.id)],
            ['console.shops.name', ({ name }) => <bdi>{name}</bdi>],
            ['console.people.coin', (row) => row.currency_name],
            ['console.shops.level', ({ level }) => t(`console.shops.is.${level}`)],
            ['console.people.state', ({ status }) => t(SHOP_STATES[status])],
            ['console.people.time', (row) => <When time={row.create_time} />],
          ]}
        />
      );
    case 'adjustments':
      return (
        <Rows<AdjustmentLine>
          path="/api/admin/adjustments"
          fields={own}
          rowKey={(row) => String(row.id)}
          lines={[
            ['console.people.id', (row) => number(row.id)],
            ['console.people.purse', ({ account }) => account],
            ['console.people.amount', (row) => <Money amount={row.amount} currency={nameOf(row.currency_id)} />, 'end'],
            ['console.people.reason', ({ note }) => <span dir="auto">{note}</span>],
            ['console.people.state', ({ state }) => t(`approval.${state}`, state)],
            ['approval.by', (row) => row.created_by],
            ['console.people.time', (row) => <When time={row.create_time} />],
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
        <Rows<Complaint>
          path="/api/admin/complaints"
          fields={own}
          rowKey={(row) => String(row.id)}
          lines={[
            ['console.people.id', (row) => number(row.id)],
            ['console.complaints.subject', ({ subject }) => <bdi>{subject}</bdi>],
            ['console.people.state', ({ state }) => t(`console.complaints.is.${state}`)],
            ['console.people.time', (row) => <When time={row.create_time} />],
          ]}
        />
      );
  }
}

/** What the ledger has booked for the person from one cause; the list of causes tells how each of them stands. */
function Bookings({ id, cause }: { id: number; cause: 'deposit' | 'withdrawal' | 'points_exchange' | 'rebate' }) {
  return (
    <Rows<Journal>
      path="/api/admin/journals"
      fields={{ user_id: String(id), cause_type: cause }}
      rowKey={(row) => row.id}
      lines={[
        ['console.people.id', (row) => number(row.cause_id)],
        ['console.people.journal', (row) => <span className="break-all">{row.id}</span>, 'wide'],
        [
          'console.people.amount',
          (row) =>
            ownLegs(row, id).map(({ account, state, amount, currency }) => (
              <div key={`${account} ${state} ${currency}`}>
                {account} {state} {number(`${amount} ${currency}`)}
              </div>
            )),
        ],
        ['console.people.time', (row) => <When time={row.time} />],
      ]}
    />
  );
}

interface RowsProps<Row> {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly rowKey: (row: Row) => string;
  readonly lines: readonly Line<Row>[];
  readonly everyMs?: number;
}
/** One list of the person, page by page. A role that may not read it is told so in the server's words. */
function Rows<Row>({ path, fields, rowKey, lines, everyMs }: RowsProps<Row>) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const list = useAdminQuery<DataPage<Row>>(
    path,
    { ...fields, page: String(page) },
    everyMs === undefined ? {} : { everyMs },
  );
  if (list.isError && !list.data) return <Failed error={list.error} retry={() => void list.refetch()} />;
  const columns = lines.map(([text, cell, look], at): Column<Row> => ({
    id: text,
    header: t(text),
    cell,
    wraps: true,
    ...(at === 0 ? { card: 'title' as const } : {}),
    ...(look === 'end' ? { end: true } : {}),
    ...(look === 'wide' ? { priority: 'wide' as const } : {}),
  }));
  return (
    <Table
      label={t('console.people.tableOf', { of: t('console.users.history') })}
      columns={columns}
      rows={list.data?.data}
      rowKey={rowKey}
      empty={t('console.people.nothing')}
      footer={
        (page > 1 || list.data?.has_more === 1) && (
          <div className="flex justify-end gap-2 p-2">
            <Button size="small" disabled={page <= 1} onClick={() => setPage(page - 1)}>
              {t('console.people.newer')}
            </Button>
            <Button size="small" disabled={list.data?.has_more !== 1} onClick={() => setPage(page + 1)}>
              {t('console.people.older')}
            </Button>
          </div>
        )
      }
    />
  );
}
