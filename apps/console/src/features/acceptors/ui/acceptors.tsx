import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Acceptor } from '@bourse/contract';
import { Button, Num } from '@bourse/ui';
import { ActDialog } from '../../../parts/act-dialog.js';
import { rowsWith } from '../../../parts/list-model.js';
import { owner, words } from '../../../parts/list-columns.js';
import { ListPage } from '../../../parts/list-page.js';

const PATH = '/api/admin/acceptors';

/** The acceptors who take and pay cash for the exchange, and their terms. They are few, so one answer lists all. */
export default function Acceptors() {
  const { t } = useTranslation();
  const [saving, setSaving] = useState<Acceptor | 'new' | null>(null);
  const figure = (id: string, label: string, of: (row: Acceptor) => string) => ({
    id,
    label,
    cell: (row: Acceptor) => <Num>{of(row)}</Num>,
    sort: of,
    csv: of,
  });
  return (
    <>
      <ListPage<typeof PATH>
        name="acceptors"
        title={t('console.acceptors.title')}
        path={PATH}
        filters={[
          { name: 'name', label: t('console.people.name'), kind: 'text', here: true },
          { name: 'user_id', label: t('console.people.person'), kind: 'id', here: true },
        ]}
        rowsOf={(rows, valueOf) =>
          rowsWith(rows, valueOf('name'), ({ name }) => name).filter(
            ({ user_id: id }) => valueOf('user_id') === '' || String(id) === valueOf('user_id'),
          )
        }
        columns={[
          words('name', t('console.people.name'), ({ name }) => name),
          owner(t),
          figure('rechargeRate', t('console.acceptors.rechargeRate'), (row) => row.recharge_rate),
          figure('cashRate', t('console.acceptors.cashRate'), (row) => row.cash_rate),
          figure('recharge', t('console.acceptors.recharge'), (row) => row.recharge_amount),
          figure('cash', t('console.acceptors.cash'), (row) => row.cash_amount),
        ]}
        rowKey={({ id }) => String(id)}
        actions={(row) => (
          <Button size="small" onClick={() => setSaving(row)}>
            {t('console.acceptors.change')}
          </Button>
        )}
        tools={
          <Button size="small" kind="primary" onClick={() => setSaving('new')}>
            {t('console.acceptors.add')}
          </Button>
        }
      />
      {saving && <Save acceptor={saving === 'new' ? null : saving} onClose={() => setSaving(null)} />}
    </>
  );
}

/** Saves all terms at once; a cash quota waits for a second operator. */
function Save({ acceptor, onClose }: { acceptor: Acceptor | null; onClose: () => void }) {
  const { t } = useTranslation();
  const known = acceptor
    ? t('console.acceptors.known', {
        name: acceptor.name,
        recharge: acceptor.recharge_rate,
        cash: acceptor.cash_rate,
      })
    : t('console.acceptors.newExplain');
  return (
    <ActDialog
      open
      onClose={onClose}
      title={t(acceptor ? 'console.acceptors.change' : 'console.acceptors.add')}
      explain={
        <>
          {known} {t('console.acceptors.quotaExplain')}
        </>
      }
      fields={[
        ...(acceptor
          ? []
          : [{ name: 'user_id', label: t('console.people.id'), kind: 'text' as const, required: true }]),
        { name: 'name', label: t('console.people.name'), kind: 'text', required: true },
        { name: 'recharge_rate', label: t('console.acceptors.rechargeRate'), kind: 'amount', required: true },
        { name: 'cash_rate', label: t('console.acceptors.cashRate'), kind: 'amount', required: true },
        { name: 'cash_quota', label: t('console.acceptors.quota'), kind: 'amount' },
      ]}
      initial={
        acceptor ? { name: acceptor.name, recharge_rate: acceptor.recharge_rate, cash_rate: acceptor.cash_rate } : {}
      }
      action={t(acceptor ? 'console.acceptors.change' : 'console.acceptors.add')}
      path={`${PATH}/save`}
      body={acceptor ? { user_id: acceptor.user_id } : {}}
      invalidate={[PATH, '/api/admin/approvals', '/api/admin/users']}
    />
  );
}
