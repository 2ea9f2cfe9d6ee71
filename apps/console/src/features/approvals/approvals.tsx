import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowOf, TotpSetup } from '@bourse/contract';
import { Badge, Button, Dialog, Num, type Tone } from '@bourse/ui';
import { useOperator } from '../../core/operator.js';
import { ActDialog, type ActAnswer } from '../../parts/act-dialog.js';
import { Diff } from '../../parts/diff.js';
import { times } from '../../parts/list-columns.js';
import { choiceFilter } from '../../parts/list-common-filters.js';
import { ListPage } from '../../parts/list-page.js';
import { TotpSecret } from '../../parts/totp-secret.js';
import { When } from '../../parts/when.js';

const STATES = ['waiting', 'approved', 'rejected'] as const;
/**
 * `in_force_at`: when an approved change of a guarded row takes or took effect; `held`: 1 until then; `sent`: 1 while
 * its outcome is not known and it cannot be rejected, `sent_time` since when, `sent_tries` how often its service was
 * asked.
 */
type Approval = RowOf<'GET /api/admin/approvals'>;
const TONES: Record<Approval['state'], Tone> = { waiting: 'warn', approved: 'up', rejected: 'plain' };
const PATH = '/api/admin/approvals';
/** An authenticator that an approval has created, and its owner. The exchange shows it only once. */
interface Made {
  readonly username: string;
  readonly setup: TotpSetup;
}

/** Requests that wait for a second operator, and their changes; the requester cannot approve (`admin.samePerson`). */
export default function Approvals() {
  const { t } = useTranslation();
  const me = useOperator((operator) => operator.me?.username);
  const [deciding, setDeciding] = useState<{ approval: Approval; act: 'approve' | 'reject' | 'takeBack' }>();
  const act = deciding?.act ?? 'approve';
  const [made, setMade] = useState<Made>();
  const close = (): void => setDeciding(undefined);
  const show = (answer: ActAnswer): void => {
    const { totp } = answer as { readonly totp?: TotpSetup };
    if (totp && deciding) setMade({ username: deciding.approval.target.replace(/^operator:/, ''), setup: totp });
  };
  return (
    <>
      <ListPage<typeof PATH>
        name="approvals"
        title={t('place.approvals')}
        path={PATH}
        filters={[choiceFilter('state', t('approval.state'), STATES, (value) => t(`approval.${value}`))]}
        columns={[
          { id: 'id', label: t('approval.id'), cell: ({ id }) => <Num>{id}</Num>, sort: ({ id }) => id },
          { id: 'call', label: t('approval.call'), cell: ({ call }) => call, sort: ({ call }) => call },
          { id: 'target', label: t('audit.target'), cell: ({ target }) => target, sort: ({ target }) => target },
          {
            id: 'change',
            label: t('audit.change'),
            cell: ({ before, after }) => <Diff before={before} after={after} />,
            csv: ({ before, after }) => `${JSON.stringify(before)} → ${JSON.stringify(after)}`,
          },
          {
            id: 'reason',
            label: t('act.reason'),
            cell: ({ reason }) => reason,
            csv: ({ reason }) => reason,
            wide: true,
          },
          { id: 'by', label: t('approval.by'), cell: (row) => row.created_by, sort: (row) => row.created_by },
          {
            id: 'state',
            label: t('approval.state'),
            cell: ({ state, decided_by, in_force_at, sent, sent_time, sent_tries }) => (
              <>
                <Badge tone={sent === 1 ? 'warn' : TONES[state]}>{t(`approval.${state}`)}</Badge> {decided_by}
                {in_force_at !== '' && (
                  <span className="block text-table text-t2">
                    {t('guarded.from')} <When time={in_force_at} />
                  </span>
                )}
                {sent === 1 && (
                  <span className="block text-table text-t2">
                    {t('approval.unanswered', { tries: sent_tries })} <When time={sent_time} />
                  </span>
                )}
              </>
            ),
            sort: ({ state }) => state,
          },
          times('time', t('audit.time'), (row) => row.create_time, true),
        ]}
        rowKey={({ id }) => String(id)}
        actions={(approval) =>
          (approval.state === 'waiting' || approval.held === 1) &&
          approval.sent === 0 && (
            <>
              {approval.created_by !== me && approval.decided_by !== me && (
                <Button size="small" kind="primary" onClick={() => setDeciding({ approval, act: 'approve' })}>
                  {t('approval.approve')}
                </Button>
              )}
              <Button
                size="small"
                kind="danger"
                onClick={() => setDeciding({ approval, act: approval.created_by === me ? 'takeBack' : 'reject' })}
              >
                {t(approval.created_by === me ? 'approval.takeBack' : 'approval.reject')}
              </Button>
            </>
          )
        }
        empty={t('approval.none')}
      />
      <ActDialog
        open={deciding !== undefined}
        onClose={close}
        title={t(`approval.${act}Title`, { id: deciding?.approval.id })}
        explain={
          deciding && (
            <>
              {deciding.approval.call} · {deciding.approval.target}
              <Diff before={deciding.approval.before} after={deciding.approval.after} />
            </>
          )
        }
        action={t(`approval.${act}`)}
        danger={act !== 'approve'}
        path={`${PATH}/${act === 'approve' ? 'approve' : 'reject'}`}
        body={{ id: deciding?.approval.id }}
        invalidate={['/api/admin']}
        done={show}
      />
      {made && <MadeDialog {...made} onClose={() => setMade(undefined)} />}
    </>
  );
}

/** Nobody can sign in as this operator without the text shown here, so only its own button closes the dialog. */
function MadeDialog({ username, setup, onClose }: Made & { onClose: () => void }) {
  const { t } = useTranslation();
  const name = { username };
  return (
    <Dialog
      open
      title={t('approval.totpTitle', name)}
      description={<TotpSecret setup={setup} lead={t('approval.totpShow', name)} />}
      closeLabel={t('common.close')}
      actions={
        <Button kind="primary" data-autofocus="" onClick={onClose}>
          {t('approval.totpDone')}
        </Button>
      }
    />
  );
}
