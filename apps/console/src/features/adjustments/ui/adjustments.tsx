import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowOf } from '@bourse/contract';
import { Badge, Button, Num, PERSONAL_TEXT, type Tone } from '@bourse/ui';
import { useOperator } from '../../../core/operator.js';
import { ActDialog } from '../../../parts/act-dialog.js';
import { choiceFilter, personFilter } from '../../../parts/list-common-filters.js';
import { created, words } from '../../../parts/list-columns.js';
import { ListPage } from '../../../parts/list-page.js';
import { Money } from '../../../parts/money.js';
import { PersonLink } from '../../../parts/person-link.js';
import { useCoinNames, useCoins } from '../../../parts/use-coin-names.js';

const PATH = '/api/admin/adjustments';
/** Queries that an approval makes stale, because it changes balances. */
const BOOKS = [PATH, '/api/admin/journals', '/api/admin/house', '/api/admin/users'];
/** Accounts of people that are corrected by hand (api §2.12). */
const ACCOUNTS = ['change', 'legal', 'lever', 'micro'] as const;
const STATES = ['waiting', 'approved', 'rejected'] as const;
type State = (typeof STATES)[number];
const TONES: Readonly<Record<State, Tone>> = { waiting: 'warn', approved: 'up', rejected: 'plain' };

/**
 * An adjustment of a person, or a movement of the house: `user_id` is 0 then, and `account` names both sides
 * (api §6.4).
 */
type AdjustmentRow = RowOf<'GET /api/admin/adjustments'>;
type Decision = 'approve' | 'reject';

/** Corrections by hand: one operator requests, another approves, and the person reads the note in their statement. */
export default function Adjustments() {
  const { t } = useTranslation();
  const nameOf = useCoinNames();
  const [isAsking, setIsAsking] = useState(false);
  const [deciding, setDeciding] = useState<{ readonly row: AdjustmentRow; readonly decision: Decision } | null>(null);
  const me = useOperator((operator) => operator.me?.username);
  const accountName = (account: string): string =>
    (ACCOUNTS as readonly string[]).includes(account) ? t(`console.adjustments.account.${account}`) : account;
  return (
    <>
      <ListPage<typeof PATH>
        name="adjustments"
        title={t('place.adjustments')}
        path={PATH}
        tools={
          <Button size="small" kind="primary" onClick={() => setIsAsking(true)}>
            {t('console.adjustments.create')}
          </Button>
        }
        filters={[
          personFilter(t),
          choiceFilter('state', t('console.people.state'), STATES, (value) => t(`console.adjustments.state.${value}`)),
        ]}
        columns={[
          { id: 'id', label: t('console.people.id'), cell: ({ id }) => <Num>{id}</Num>, csv: ({ id }) => String(id) },
          {
            id: 'person',
            label: t('console.people.person'),
            cell: ({ user_id: id }) => (id === 0 ? t('console.adjustments.house') : <PersonLink id={id} />),
            csv: ({ user_id: id }) => String(id),
          },
          {
            id: 'account',
            label: t('console.people.accountType'),
            cell: ({ account }) => accountName(account),
            csv: ({ account }) => account,
          },
          {
            id: 'amount',
            label: t('console.people.amount'),
            cell: ({ amount, currency_id: coin }) => <Money amount={amount} currency={nameOf(coin)} />,
            sort: ({ amount }) => amount,
            csv: ({ amount, currency_id: coin }) => `${amount} ${nameOf(coin)}`,
          },
          {
            id: 'code',
            label: t('console.adjustments.code'),
            cell: ({ reason_code: code }) => <bdi>{code}</bdi>,
            csv: ({ reason_code: code }) => code,
          },
          {
            id: 'note',
            label: t('console.adjustments.note'),
            cell: ({ note }) => <span {...PERSONAL_TEXT}>{note}</span>,
            csv: ({ note }) => note,
          },
          {
            id: 'state',
            label: t('console.people.state'),
            cell: ({ state }) => <Badge tone={TONES[state]}>{t(`console.adjustments.state.${state}`)}</Badge>,
            sort: ({ state }) => state,
          },
          words('by', t('console.adjustments.by'), ({ created_by: by }) => by),
          words('decided', t('console.adjustments.decidedBy'), ({ decided_by: by }) => by),
          created(t, true),
        ]}
        rowKey={({ id }) => String(id)}
        actions={(row) =>
          row.state === 'waiting' && (
            <span className="flex gap-1">
              {row.created_by !== me && (
                <Button size="small" kind="primary" onClick={() => setDeciding({ row, decision: 'approve' })}>
                  {t('console.adjustments.approve')}
                </Button>
              )}
              <Button size="small" kind="danger" onClick={() => setDeciding({ row, decision: 'reject' })}>
                {t('console.adjustments.reject')}
              </Button>
            </span>
          )
        }
      />
      {isAsking && <Ask onClose={() => setIsAsking(false)} />}
      {deciding && (
        <ActDialog
          open
          onClose={() => setDeciding(null)}
          title={t(`console.adjustments.${deciding.decision}Title`, { id: deciding.row.id })}
          explain={t(`console.adjustments.${deciding.decision}Explain`, {
            amount: `${deciding.row.amount} ${nameOf(deciding.row.currency_id)}`,
            account: accountName(deciding.row.account),
            note: deciding.row.note,
          })}
          danger={deciding.decision === 'reject'}
          action={t(`console.adjustments.${deciding.decision}`)}
          path={`${PATH}/${deciding.decision}`}
          body={{ id: deciding.row.id }}
          invalidate={BOOKS}
        />
      )}
    </>
  );
}

function Ask({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const coins = useCoins();
  return (
    <ActDialog
      open
      onClose={onClose}
      title={t('console.adjustments.create')}
      explain={t('console.adjustments.createExplain')}
      initial={{ account: 'change' }}
      fields={[
        { name: 'user_id', label: t('console.adjustments.user'), kind: 'text', required: true },
        {
          name: 'currency_id',
          label: t('console.people.coin'),
          kind: 'choice',
          options: coins.map(({ id, name }) => ({ value: String(id), label: name })),
          required: true,
        },
        {
          name: 'account',
          label: t('console.people.accountType'),
          kind: 'choice',
          options: ACCOUNTS.map((value) => ({ value, label: t(`console.adjustments.account.${value}`) })),
          required: true,
        },
        {
          name: 'amount',
          label: t('console.people.amount'),
          kind: 'amount',
          hint: t('console.adjustments.amountHint'),
          required: true,
        },
        {
          name: 'reason_code',
          label: t('console.adjustments.code'),
          kind: 'text',
          hint: t('console.adjustments.codeHint'),
          required: true,
        },
        {
          name: 'note',
          label: t('console.adjustments.note'),
          kind: 'long',
          hint: t('console.adjustments.noteHint'),
          required: true,
        },
      ]}
      action={t('console.adjustments.create')}
      path={`${PATH}/create`}
      invalidate={[PATH]}
    />
  );
}
