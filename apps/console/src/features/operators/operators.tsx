import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowOf } from '@bourse/contract';
import { Badge, Button } from '@bourse/ui';
import { ROLES } from '../../core/operator.js';
import { ActDialog } from '../../parts/act-dialog.js';
import { rowsWith } from '../../parts/list-model.js';
import { times } from '../../parts/list-columns.js';
import { ListPage } from '../../parts/list-page.js';

type OperatorRow = RowOf<'GET /api/admin/operators'>;
const PATH = '/api/admin/operators';
type Act = { kind: 'add' } | { kind: 'change' | 'off'; operator: OperatorRow };

/** The operators of the exchange. Everything but disabling one takes a second admin. */
export default function Operators() {
  const { t } = useTranslation();
  const [act, setAct] = useState<Act>();
  const operator = act?.kind === 'add' ? undefined : act?.operator;
  const off = act?.kind === 'off';
  const role = {
    name: 'roles',
    label: t('operator.role'),
    kind: 'choice',
    required: true,
    options: ROLES.map((value) => ({ value, label: t(`role.${value}`) })),
  } as const;
  const password = { name: 'password', kind: 'password', hint: t('operator.passwordHint') } as const;
  return (
    <>
      <ListPage<typeof PATH>
        name="operators"
        title={t('place.operators')}
        path={PATH}
        filters={[
          { name: 'name', label: t('operator.name'), kind: 'text', here: true },
          { ...role, kind: 'choice', here: true },
          {
            name: 'active',
            label: t('operator.active'),
            kind: 'choice',
            options: [
              { value: '1', label: t('operator.on') },
              { value: '0', label: t('operator.off') },
            ],
            here: true,
          },
        ]}
        rowsOf={(rows, valueOf) =>
          rowsWith(rows, valueOf('name'), ({ username }) => username).filter(
            ({ roles, active }) =>
              (valueOf('roles') === '' || roles.some((one) => one === valueOf('roles'))) &&
              (valueOf('active') === '' || String(active) === valueOf('active')),
          )
        }
        tools={
          <Button size="small" kind="primary" onClick={() => setAct({ kind: 'add' })}>
            {t('operator.add')}
          </Button>
        }
        columns={[
          { id: 'name', label: t('operator.name'), cell: (row) => row.username, sort: (row) => row.username },
          {
            id: 'roles',
            label: t('operator.role'),
            cell: ({ roles }) => roles.map((one) => t(`role.${one}`)).join(', '),
            sort: ({ roles }) => roles.join(' '),
          },
          {
            id: 'active',
            label: t('operator.active'),
            cell: ({ active }) => (
              <Badge tone={active ? 'up' : 'plain'}>{t(active ? 'operator.on' : 'operator.off')}</Badge>
            ),
            sort: ({ active }) => active,
          },
          {
            id: 'totp',
            label: t('operator.totp'),
            cell: ({ totp }) => (
              <Badge tone={totp ? 'up' : 'warn'}>{t(totp ? 'operator.has' : 'operator.hasNot')}</Badge>
            ),
            sort: ({ totp }) => totp,
          },
          times('last', t('operator.last'), (row) => row.last_at),
          times('created', t('operator.created'), (row) => row.created_at, true),
        ]}
        rowKey={({ id }) => String(id)}
        actions={(row) => (
          <>
            <Button size="small" onClick={() => setAct({ kind: 'change', operator: row })}>
              {t('operator.change')}
            </Button>
            {row.active === 1 && (
              <Button size="small" kind="danger" onClick={() => setAct({ kind: 'off', operator: row })}>
                {t('operator.switchOff')}
              </Button>
            )}
          </>
        )}
      />
      <ActDialog
        open={act !== undefined}
        onClose={() => setAct(undefined)}
        title={
          act?.kind === 'add'
            ? t('operator.add')
            : t(off ? 'operator.offTitle' : 'operator.changeTitle', { username: operator?.username })
        }
        explain={t(off ? 'operator.offText' : operator ? 'operator.changeText' : 'operator.twoText')}
        danger={off}
        fields={
          off
            ? []
            : act?.kind === 'add'
              ? [
                  { name: 'username', label: t('operator.name'), kind: 'text', required: true },
                  role,
                  { ...password, label: t('signIn.password'), required: true },
                ]
              : [
                  role,
                  { ...password, label: t('operator.newPassword') },
                  { name: 'new_totp', label: t('operator.newTotp'), kind: 'flag' },
                ]
        }
        initial={operator ? { roles: operator.roles.at(-1) ?? '' } : {}}
        action={t(act?.kind === 'add' ? 'operator.add' : off ? 'operator.switchOff' : 'operator.save')}
        path={PATH}
        body={
          operator ? { username: operator.username, active: !off, ...(off && { roles: operator.roles.join(',') }) } : {}
        }
        invalidate={[PATH]}
      />
    </>
  );
}
