import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { FieldsAt } from '@bourse/api-client';
import type { PathOf } from '@bourse/contract';
import { Tabs } from '@bourse/ui';
import { useMay } from '../../../core/operator.js';
import { Section } from '../../../parts/detail.js';
import { ListPage, type ListColumn, type RowAt } from '../../../parts/list-page.js';
import { Money } from '../../../parts/money.js';
import { useCoinNames } from '../../../parts/use-coin-names.js';
import { ownLegs } from '../model/journals.js';
import {
  acceptorDealColumns,
  actColumns,
  adColumns,
  adjustmentColumns,
  claimColumns,
  complaintColumns,
  dealColumns,
  leverColumns,
  microColumns,
  savingsColumns,
  shopColumns,
  spotColumns,
  useColumns,
} from './person-columns.js';

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
        <PersonList key={list} list={list} id={id} />
      </Tabs>
    </Section>
  );
}

function PersonList({ list, id }: { list: ListName; id: number }) {
  const nameOf = useCoinNames();
  const columns = useColumns();
  const shared = { list, fields: { user_id: String(id) }, rowKey: byId };
  switch (list) {
    case 'acts':
      return (
        <Rows<'/api/admin/audit'>
          {...shared}
          path="/api/admin/audit"
          everyMs={ARRIVAL_MS}
          columns={actColumns(columns)}
        />
      );
    case 'spot':
      return (
        <Rows<'/api/admin/orders/spot'> {...shared} path="/api/admin/orders/spot" columns={spotColumns(columns)} />
      );
    case 'lever':
      return (
        <Rows<'/api/admin/orders/lever'> {...shared} path="/api/admin/orders/lever" columns={leverColumns(columns)} />
      );
    case 'micro':
      return (
        <Rows<'/api/admin/orders/micro'> {...shared} path="/api/admin/orders/micro" columns={microColumns(columns)} />
      );
    case 'deals':
      return <Rows<'/api/admin/c2c_orders'> {...shared} path="/api/admin/c2c_orders" columns={dealColumns(columns)} />;
    case 'ads':
      return <Rows<'/api/admin/c2c_ads'> {...shared} path="/api/admin/c2c_ads" columns={adColumns(columns)} />;
    case 'acceptors':
      return (
        <Rows<'/api/admin/acceptor_deals'>
          {...shared}
          path="/api/admin/acceptor_deals"
          columns={acceptorDealColumns(columns)}
        />
      );
    case 'savings':
      return <Rows<'/api/admin/savings'> {...shared} path="/api/admin/savings" columns={savingsColumns(columns)} />;
    case 'claims':
      return <Rows<'/api/admin/claims'> {...shared} path="/api/admin/claims" columns={claimColumns(columns)} />;
    case 'shops':
      return <Rows<'/api/admin/shops'> {...shared} path="/api/admin/shops" columns={shopColumns(columns)} />;
    case 'adjustments':
      return (
        <Rows<'/api/admin/adjustments'>
          {...shared}
          path="/api/admin/adjustments"
          columns={adjustmentColumns(columns, nameOf)}
        />
      );
    case 'complaints':
      return (
        <Rows<'/api/admin/complaints'> {...shared} path="/api/admin/complaints" columns={complaintColumns(columns)} />
      );
    case 'deposits':
      return <Bookings id={id} cause="deposit" />;
    case 'withdrawals':
      return <Bookings id={id} cause="withdrawal" />;
    case 'points':
      return <Bookings id={id} cause="points_exchange" />;
    case 'rebates':
      return <Bookings id={id} cause="rebate" />;
  }
}

const byId = (row: { readonly id: string | number }): string => String(row.id);

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
  const { t, text, count, time } = useColumns();
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
