import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WithdrawalState } from '@bourse/contract';
import { fixed, Num, timeOf } from '@bourse/ui';
import { useDashboard } from '../../../core/work.js';
import { useOpenRow } from '../../../core/use-open-row.js';
import { ActDialog } from '../../../parts/act-dialog.js';
import { choiceFilter, personFilter } from '../../../parts/list-common-filters.js';
import { owner } from '../../../parts/list-columns.js';
import { ListPage, type ListColumn } from '../../../parts/list-page.js';
import { Money } from '../../../parts/money.js';
import { PersonLink } from '../../../parts/person-link.js';
import { When } from '../../../parts/when.js';
import { ageOf, type WithdrawalRow } from '../model/withdrawal.js';
import { WithdrawalDetails } from './withdrawal-details.js';
import { Acts, Approvals, AUDIT, Destination, Hints, State, type Decision } from './withdrawal-parts.js';

/** Other operators decide meanwhile. */
const LIST_MS = 10_000;
const PATH = '/api/admin/withdrawals';
const STATES = ['review', 'sending', 'done', 'failed', 'cancelled'] as const satisfies readonly WithdrawalState[];

interface Deciding {
  readonly row: WithdrawalRow;
  readonly decision: Decision;
}

/** Withdrawals; those under review are approved or refused, above the ceiling by two operators. */
export default function Withdrawals() {
  const { t } = useTranslation();
  const [opened, setShown] = useState<WithdrawalRow | null>(null);
  const shown = useOpenRow(PATH, opened);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const close = (): void => {
    setDeciding(null);
    setShown(null);
  };
  return (
    <>
      <ListPage
        name="withdrawals"
        title={t('place.withdrawals')}
        path={PATH}
        everyMs={LIST_MS}
        filters={[
          choiceFilter('state', t('console.people.state'), STATES, (value) => t(`console.withdrawals.state.${value}`)),
          personFilter(t),
          { name: 'id', label: t('console.people.id'), kind: 'id' },
        ]}
        columns={columnsOf(t)}
        rowKey={({ id }) => id}
        onOpen={setShown}
        actions={(row) => <Acts row={row} onDecide={(decision) => setDeciding({ row, decision })} />}
      />
      {shown && !deciding && (
        <WithdrawalDetails row={shown} onClose={close} onDecide={(decision) => setDeciding({ row: shown, decision })} />
      )}
      {deciding && <Decide {...deciding} onClose={close} />}
    </>
  );
}

const columnsOf = (t: (key: string) => string): readonly ListColumn<WithdrawalRow>[] => [
  {
    id: 'id',
    label: t('console.people.id'),
    cell: (row) => (
      <span className="flex flex-col py-1">
        <Num>{row.id}</Num>
        <Age row={row} />
      </span>
    ),
    sort: ({ create_time: at }) => at,
    csv: ({ id, create_time: at }) => `${id} ${at}`,
  },
  owner(t),
  {
    id: 'value',
    label: t('console.people.amount'),
    cell: ({ number, currency_name: coin, value }) => (
      <span className="flex flex-col">
        <Money amount={number} currency={coin} />
        <span className="text-label text-t2">
          <Money amount={fixed(value, 2)} currency="USD" />
        </span>
      </span>
    ),
    sort: ({ value }) => value,
    csv: ({ number, currency_name: coin, value }) => `${number} ${coin} ${value} USD`,
    end: true,
  },
  {
    id: 'address',
    label: t('console.withdrawals.address'),
    cell: (row) => <Destination row={row} />,
    csv: ({ network_name: network, address, memo }) => [network, address, memo].filter(Boolean).join(' '),
  },
  {
    id: 'hints',
    label: t('console.withdrawals.risk'),
    cell: (row) => <Hints row={row} />,
    csv: ({ risk }) => risk?.hints.join(' ') ?? '',
  },
  {
    id: 'state',
    label: t('console.people.state'),
    cell: (row) => (
      <span className="flex flex-col gap-1 py-1">
        <State row={row} />
        {row.approvals_needed > 0 && <Approvals row={row} />}
      </span>
    ),
    sort: ({ state, held }) => `${state} ${held}`,
    csv: ({ state, held, approvals, approvals_needed: needed }) =>
      [state, held, `${approvals}/${needed}`].filter(Boolean).join(' '),
  },
];

/** How long an unfinished withdrawal has waited, by the clock of the exchange. */
function Age({ row: { state, create_time: at } }: { row: WithdrawalRow }) {
  const { t } = useTranslation();
  const { data } = useDashboard();
  const [since, now] = [timeOf(at), data && timeOf(data.time)];
  const isOpen = state === 'review' || state === 'sending';
  return (
    <span className="flex flex-col">
      <When time={at} />
      {isOpen && since !== undefined && now !== undefined && (
        <span className="text-label text-t2">{t('console.withdrawals.waited', { ...ageOf(since, now) })}</span>
      )}
    </span>
  );
}

function Decide({ row, decision, onClose }: Deciding & { onClose: () => void }) {
  const { t } = useTranslation();
  const what = { amount: `${row.number} ${row.currency_name}`, address: row.address };
  const isFirst = row.approvals + 1 < row.approvals_needed;
  const effect = decision === 'approve' ? (isFirst ? 'firstExplain' : 'approveExplain') : 'rejectExplain';
  return (
    <ActDialog
      open
      onClose={onClose}
      title={t(`console.withdrawals.${decision}Title`, { id: row.id })}
      explain={
        <span className="flex flex-col gap-2">
          {t(`console.withdrawals.${effect}`, what)}
          <PersonLink id={row.user_id} />
          <Destination row={row} />
          <Hints row={row} />
        </span>
      }
      action={t(`console.withdrawals.${decision}Amount`, what)}
      danger={decision === 'reject'}
      path={`${PATH}/${decision}`}
      body={{
        id: row.id,
        ...(decision === 'approve' && { approvals: String(row.approvals), updated_ts: String(row.updated_ts) }),
      }}
      invalidate={[PATH, AUDIT]}
    />
  );
}
