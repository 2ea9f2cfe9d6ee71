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
import { owner } from '../../../parts/list-columns.js';
import { ListPage } from '../../../parts/list-page.js';
import { Money } from '../../../parts/money.js';
import { PersonLink, PersonLinks } from '../../../parts/person-link.js';
import { When } from '../../../parts/when.js';
import {
  ageOf,
  mayApprove,
  waitsForSecond,
  type Approval,
  type RiskHint,
  type WithdrawalRow,
} from '../model/withdrawal.js';

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

/** Hints about facts shared with other people are graver than those about new ones. */
const HINT_TONES: Readonly<Record<RiskHint, Tone>> = {
  shared_address: 'down',
  shared_identity: 'down',
  new_device: 'down',
  contact_changed: 'down',
  first_withdrawal: 'warn',
  new_address: 'warn',
  fresh_deposit: 'warn',
  young_account: 'warn',
};

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
          { name: 'id', label: t('console.people.id'), kind: 'id' },
        ]}
        columns={[
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
                  <Money amount={value} currency="USD" />
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
        ]}
        rowKey={({ id }) => id}
        onOpen={setShown}
        actions={(row) => <Acts row={row} onDecide={(decision) => setDeciding({ row, decision })} />}
      />
      {shown && !deciding && (
        <Details row={shown} onClose={close} onDecide={(decision) => setDeciding({ row: shown, decision })} />
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

/** The destination: the network by name and the whole address, which a second operator has to read. */
function Destination({ row: { network_name: network, address, memo } }: { row: WithdrawalRow }) {
  const { t } = useTranslation();
  return (
    <span className="flex min-w-64 flex-col py-1">
      <span>
        <Badge>{network}</Badge>
      </span>
      <Num className="break-all">{address}</Num>
      {memo !== '' && (
        <span className="text-label text-t2">
          {t('console.withdrawals.memo')} <Num>{memo}</Num>
        </span>
      )}
    </span>
  );
}

/** The hints that its facts give while it is under review. */
function Hints({ row: { state, risk } }: { row: WithdrawalRow }) {
  const { t } = useTranslation();
  if (state !== 'review') return <>{NO_NUMBER}</>;
  if (risk === null) return <span className="text-t2">{t('console.withdrawals.riskUnknown')}</span>;
  if (risk.hints.length === 0) return <span className="text-t2">{t('console.withdrawals.riskNone')}</span>;
  return (
    <span className="flex min-w-32 flex-wrap gap-1 py-1">
      {risk.hints.map((hint) => (
        <Badge key={hint} tone={HINT_TONES[hint]}>
          {t(`console.withdrawals.hint.${hint}`)}
        </Badge>
      ))}
    </span>
  );
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

function Details({
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
          [t('console.withdrawals.value'), <Money key="value" amount={row.value} />],
          [t('console.withdrawals.network'), row.network_name],
          [
            t('console.withdrawals.address'),
            <Num key="address" className="break-all">
              {row.address}
            </Num>,
          ],
          [t('console.withdrawals.memo'), row.memo === '' ? NO_NUMBER : <Num key="memo">{row.memo}</Num>],
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
        ]}
      />
      {row.state === 'review' && <Risk row={row} />}
      <Rest row={row} />
    </Dialog>
  );
}

/** Facts that decide nothing: fee, transaction and times. */
function Rest({ row }: { row: WithdrawalRow }) {
  const { t } = useTranslation();
  return (
    <div className="mt-4 border-t border-line pt-4">
      <Facts
        rows={[
          [t('console.withdrawals.fee'), <Money key="fee" amount={row.fee} currency={row.currency_name} />],
          [
            t('console.withdrawals.received'),
            <Money key="received" amount={row.received} currency={row.currency_name} />,
          ],
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
    </div>
  );
}

/** The facts behind the hints; each is computed by the service that owns it. */
function Risk({ row }: { row: WithdrawalRow }) {
  const { t } = useTranslation();
  const { risk } = row;
  const people = (ids: readonly number[]) => (ids.length === 0 ? NO_NUMBER : <PersonLinks ids={ids} />);
  return (
    <section aria-label={t('console.withdrawals.risk')} className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
      <h3 className="text-title font-semibold">{t('console.withdrawals.risk')}</h3>
      <Hints row={row} />
      {risk && (
        <Facts
          rows={[
            [t('console.withdrawals.earlier'), <Num key="earlier">{risk.earlier_withdrawals}</Num>],
            [t('console.withdrawals.earlierTo'), <Num key="to">{risk.earlier_to_address}</Num>],
            [t('console.withdrawals.sharedAddress'), people(risk.address_shared_with)],
            [t('console.withdrawals.boundAt'), <When key="bound" time={risk.address_bound_at} />],
            [t('console.withdrawals.lastDeposit'), <When key="deposit" time={risk.last_deposit_at} />],
            [
              t('console.withdrawals.deposited24'),
              <Money key="deposited" amount={risk.deposited_24h} currency={row.currency_name} />,
            ],
            [t('console.users.registered'), <When key="registered" time={risk.registered_at} />],
            [t('console.withdrawals.newDevice'), <When key="device" time={risk.new_device_at} />],
            [t('console.withdrawals.contactChanged'), <When key="contact" time={risk.contact_changed_at} />],
            [t('console.withdrawals.sharedIdentity'), people(risk.identity_shared_with)],
          ]}
        />
      )}
    </section>
  );
}

function Decide({ row, decision, onClose }: Deciding & { onClose: () => void }) {
  const { t } = useTranslation();
  const what = { amount: `${row.number} ${row.currency_name}`, address: row.address };
  const isFirst = row.approvals + 1 < row.approvals_needed;
  const effect = decision === 'reject' ? 'rejectExplain' : isFirst ? 'firstExplain' : 'approveExplain';
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
      body={{ id: row.id }}
      invalidate={[PATH, AUDIT]}
    />
  );
}
