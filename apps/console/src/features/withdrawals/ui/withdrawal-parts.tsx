import { useTranslation } from 'react-i18next';
import type { WithdrawalState } from '@bourse/contract';
import { Badge, Button, NO_NUMBER, Num, type Tone } from '@bourse/ui';
import { useAdminQuery } from '../../../core/calls.js';
import { useOperator } from '../../../core/operator.js';
import {
  approvalsInForce,
  mayApprove,
  waitsForSecond,
  type Approval,
  type RiskHint,
  type WithdrawalRow,
} from '../model/withdrawal.js';

export const AUDIT = '/api/admin/audit';
const TONES: Readonly<Record<WithdrawalState, Tone>> = {
  review: 'warn',
  sending: 'plain',
  done: 'up',
  failed: 'down',
  cancelled: 'plain',
};
/** An operator's approval arrives in the audit trail a moment after its answer. */
const ARRIVAL_MS = 10_000;

/** Hints about data shared with other people weigh more than hints about new data. */
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

export type Decision = 'approve' | 'reject';

/** The operators whose approvals count, in order. Without an approval nothing is queried. */
export function useApprovals({ id, state, approvals }: WithdrawalRow): readonly Approval[] {
  const { data } = useAdminQuery(
    AUDIT,
    { action: 'withdrawals.approve', target: id },
    { enabled: approvals > 0, ...(state === 'review' ? { everyMs: ARRIVAL_MS } : {}) },
  );
  return approvalsInForce({ approvals }, (data?.data ?? []).toReversed());
}

/** The destination: the network by name and the whole address, which a second operator has to read. */
export function Destination({ row: { network_name: network, address, memo } }: { row: WithdrawalRow }) {
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
export function Hints({ row: { state, risk } }: { row: WithdrawalRow }) {
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

export function State({ row }: { row: WithdrawalRow }) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={TONES[row.state]}>{t(`console.withdrawals.state.${row.state}`)}</Badge>
      {row.held !== '' && <Badge tone="down">{t(`console.withdrawals.held.${row.held}`)}</Badge>}
    </span>
  );
}

export function Approvals({ row }: { row: WithdrawalRow }) {
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

/** Buttons of a withdrawal under review. An operator approves it only once. */
export function Acts({ row, onDecide }: { row: WithdrawalRow; onDecide: (decision: Decision) => void }) {
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
