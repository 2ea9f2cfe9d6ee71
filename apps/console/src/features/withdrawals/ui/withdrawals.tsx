import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WithdrawalState } from '@bourse/contract';
import { Badge, Button, Dialog, NO_NUMBER, Num, timeOf, type Tone } from '@bourse/ui';
import { useAdminQuery } from '../../../core/calls.js';
import { useOperator } from '../../../core/operator.js';
import { useDashboard } from '../../../core/work.js';
import { ActDialog } from '../../../parts/act-dialog.js';
import { Facts } from '../../../parts/detail.js';
import { personFilter } from '../../../parts/list-common-filters.js';
import { ListPage } from '../../../parts/list-page.js';
import { Money } from '../../../parts/money.js';
import { PersonLink } from '../../../parts/person-link.js';
import { When } from '../../../parts/when.js';
import { ageOf, mayApprove, waitsForSecond, type Approval, type WithdrawalRow } from '../model/withdrawal.js';

const PATH = '/api/admin/withdrawals';
const AUDIT = '/api/admin/audit';
const STATES = ['review', 'sending', 'done', 'failed', 'cancelled'] as const satisfies readonly WithdrawalState[];
const TONES: Readonly<Record<WithdrawalState, Tone>> = {
  review: 'warn',
  sending: 'plain',
  done: 'up',
  failed: 'down',
  cancelled: 'plain',
};
/** An operator's approval arrives in the audit trail a moment after its answer. */
const ARRIVAL_MS = 10_000;

type Decision = 'approve' | 'reject';
interface Deciding {
  readonly row: WithdrawalRow;
  readonly decision: Decision;
}

/** Withdrawals; those under review are approved or refused, above the ceiling by two operators. */
export default function Withdrawals() {
  const { t } = useTranslation();
  const [shown, setShown] = useState<WithdrawalRow | null>(null);
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
        filters={[
          {
            name: 'state',
            label: t('console.people.state'),
            kind: 'choice',
            options: STATES.map((value) => ({ value, label: t(`console.withdrawals.state.${value}`) })),
          },
          personFilter(t),
        ]}
        columns={[
          { id: 'id', label: t('console.people.id'), cell: ({ id }) => <Num>{id}</Num>, sort: ({ id }) => id },
          {
            id: 'person',
            label: t('console.people.person'),
            cell: ({ user_id: id }) => <PersonLink id={id} />,
            sort: ({ user_id: id }) => id,
          },
          {
            id: 'amount',
            label: t('console.people.amount'),
            cell: ({ number, currency_name: coin }) => <Money amount={number} currency={coin} />,
            sort: ({ number }) => number,
            csv: ({ number, currency_name: coin }) => `${number} ${coin}`,
          },
          {
            id: 'value',
            label: t('console.withdrawals.value'),
            cell: ({ value }) => <Money amount={value} />,
            sort: ({ value }) => value,
          },
          {
            id: 'state',
            label: t('console.people.state'),
            cell: (row) => <State row={row} />,
            sort: ({ state, held }) => `${state} ${held}`,
            csv: ({ state, held }) => (held === '' ? state : `${state} ${held}`),
          },
          {
            id: 'approvals',
            label: t('console.withdrawals.approvals'),
            cell: (row) => <Approvals row={row} />,
            csv: ({ approvals, approvals_needed: needed }) => `${approvals}/${needed}`,
          },
          {
            id: 'age',
            label: t('console.withdrawals.age'),
            cell: (row) => <Age row={row} />,
            sort: ({ create_time: at }) => at,
          },
          {
            id: 'address',
            label: t('console.withdrawals.address'),
            cell: ({ address }) => <Num className="break-all">{address}</Num>,
            csv: ({ address }) => address,
            wide: true,
          },
        ]}
        rowKey={({ id }) => id}
        onOpen={setShown}
        actions={(row) => <Acts row={row} onDecide={(decision) => setDeciding({ row, decision })} />}
      />
      {shown && !deciding && (
        <Look row={shown} onClose={close} onDecide={(decision) => setDeciding({ row: shown, decision })} />
      )}
      {deciding && <Decide {...deciding} onClose={close} />}
    </>
  );
}

/** The operators who approved it, in order. Without an approval nothing is queried. */
function useApprovals({ id, state, approvals }: WithdrawalRow): readonly Approval[] {
  const { data } = useAdminQuery(
    AUDIT,
    { action: 'withdrawals.approve', target: id },
    { enabled: approvals > 0, ...(state === 'review' ? { everyMs: ARRIVAL_MS } : {}) },
  );
  return (data?.data ?? []).toReversed();
}

function State({ row }: { row: WithdrawalRow }) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={TONES[row.state]}>{t(`console.withdrawals.state.${row.state}`)}</Badge>
      {row.held !== '' && <Badge tone="down">{t(`console.withdrawals.held.${row.held}`)}</Badge>}
    </span>
  );
}

function Approvals({ row }: { row: WithdrawalRow }) {
  const { t } = useTranslation();
  const given = useApprovals(row);
  if (row.approvals_needed === 0) return <>{NO_NUMBER}</>;
  return (
    <span className="flex flex-wrap items-center gap-1">
      <Num>
        {row.approvals}/{row.approvals_needed}
      </Num>
      {given.map(({ operator }) => (
        <bdi key={operator}>{operator}</bdi>
      ))}
      {waitsForSecond(row) && <Badge tone="warn">{t('console.withdrawals.second')}</Badge>}
    </span>
  );
}

/** How long what is not at its end has waited, by the clock of the exchange. */
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

/** Only what is under review is decided; who has approved leaves the rest to another. */
function Acts({ row, onDecide }: { row: WithdrawalRow; onDecide: (decision: Decision) => void }) {
  const { t } = useTranslation();
  const me = useOperator((operator) => operator.me?.username);
  const given = useApprovals(row);
  if (row.state !== 'review') return null;
  return (
    <span className="flex gap-1">
      {mayApprove(row, given, me) && (
        <Button size="small" kind="primary" onClick={() => onDecide('approve')}>
          {t('console.withdrawals.approve')}
        </Button>
      )}
      <Button size="small" kind="danger" onClick={() => onDecide('reject')}>
        {t('console.withdrawals.reject')}
      </Button>
    </span>
  );
}

function Look({
  row,
  onClose,
  onDecide,
}: {
  row: WithdrawalRow;
  onClose: () => void;
  onDecide: (decision: Decision) => void;
}) {
  const { t } = useTranslation();
  const given = useApprovals(row);
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        <>
          {t('console.withdrawals.one')} <Num>{row.id}</Num>
        </>
      }
      closeLabel={t('common.close')}
      shape="drawer"
      actions={row.state === 'review' && <Acts row={row} onDecide={onDecide} />}
    >
      <Facts
        rows={[
          [t('console.people.state'), <State key="state" row={row} />],
          [t('console.people.person'), <PersonLink key="person" id={row.user_id} />],
          [t('console.people.amount'), <Money key="number" amount={row.number} currency={row.currency_name} />],
          [t('console.withdrawals.fee'), <Money key="fee" amount={row.fee} currency={row.currency_name} />],
          [
            t('console.withdrawals.received'),
            <Money key="received" amount={row.received} currency={row.currency_name} />,
          ],
          [t('console.withdrawals.value'), <Money key="value" amount={row.value} />],
          [t('console.withdrawals.approvals'), <Approvals key="approvals" row={row} />],
          ...given.map(
            ({ operator, time, reason }) =>
              [
                t('console.withdrawals.approvedBy', { operator }),
                <span key={operator} className="flex flex-col" dir="auto">
                  {reason} <When time={time} />
                </span>,
              ] as const,
          ),
          [
            t('console.withdrawals.address'),
            <Num key="address" className="break-all">
              {row.address}
            </Num>,
          ],
          [t('console.withdrawals.memo'), row.memo === '' ? NO_NUMBER : <Num key="memo">{row.memo}</Num>],
          [t('console.withdrawals.network'), <Num key="network">{row.type}</Num>],
          [
            t('console.withdrawals.tx'),
            row.tx_id === '' ? (
              NO_NUMBER
            ) : (
              <Num key="tx" className="break-all">
                {row.tx_id}
              </Num>
            ),
          ],
          [t('console.withdrawals.confirmations'), <Num key="confirmations">{row.confirmations}</Num>],
          [
            t('console.people.reason'),
            <span key="reason" dir="auto">
              {row.reason === '' ? NO_NUMBER : row.reason}
            </span>,
          ],
          [t('console.people.time'), <When key="time" time={row.create_time} />],
          [t('console.withdrawals.changed'), <When key="changed" time={row.update_time} />],
        ]}
      />
    </Dialog>
  );
}

function Decide({ row, decision, onClose }: Deciding & { onClose: () => void }) {
  const { t } = useTranslation();
  const what = { amount: `${row.number} ${row.currency_name}`, address: row.address };
  const isFirst = row.approvals + 1 < row.approvals_needed;
  return (
    <ActDialog
      open
      onClose={onClose}
      title={t(`console.withdrawals.${decision}Title`, { id: row.id })}
      explain={
        decision === 'reject'
          ? t('console.withdrawals.rejectExplain', what)
          : t(isFirst ? 'console.withdrawals.firstExplain' : 'console.withdrawals.approveExplain', what)
      }
      danger={decision === 'reject'}
      path={`${PATH}/${decision}`}
      body={{ id: row.id }}
      invalidate={[PATH, AUDIT]}
    />
  );
}
