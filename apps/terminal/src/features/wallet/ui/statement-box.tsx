import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import { Button, formatBalance, Num, Panel, Table } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { toastError } from '../../../core/toasts.js';
import { readStored } from '../../../prefs/storage.js';
import { holds, statementCheck } from '../api/wallet.js';

/** The proof that goes with the balances: they equal their journals, what is frozen has a cause, and all of it can be taken home. */
export function StatementBox() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const check = useQuery({ queryKey: [...keys.wallet, 'check'], staleTime: 30_000, queryFn: () => statementCheck(api) });
  const frozen = useQuery({ queryKey: [...keys.wallet, 'holds'], queryFn: () => holds(api), refetchInterval: 10_000 });
  const download = async (): Promise<void> => {
    setBusy(true);
    try {
      // A plain link cannot carry the token, and the token never stands in an address.
      const response = await fetch('/api/statement/export', { headers: { authorization: readStored('token') ?? '' }, credentials: 'omit' });
      if (!response.ok || !response.headers.get('content-type')?.startsWith('text/csv')) throw new Error(`HTTP ${response.status}`);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await response.blob());
      link.download = 'statement.csv';
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (failure) {
      console.warn('statement not downloaded', failure);
      toastError(t('common.loadFailed'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-title font-semibold">{t('wallet.statement')}</h2>
        <Button size="small" busy={busy} onClick={() => void download()}>{t('wallet.export')}</Button>
      </div>
      {check.data !== undefined && <p className={check.data ? 'text-up' : 'text-down'}>{check.data ? '✓ ' : '✗ '}{t(check.data ? 'wallet.statementOk' : 'wallet.statementBad')}</p>}
      <h3 className="text-body text-t2">{t('wallet.holds')}</h3>
      <Table label={t('wallet.holds')} rows={frozen.data} rowKey={(row) => `${row.account}:${row.currency_name}:${row.cause_type}:${row.cause_id}`} empty={t('wallet.noHolds')}
        columns={[
          { id: 'cause', header: t('wallet.cause'), cell: (row) => row.info || <Num>{row.cause_id}</Num> },
          { id: 'amount', header: t('wallet.amount'), end: true, cell: (row) => <Num>{`${formatBalance(row.amount)} ${row.currency_name}`}</Num> },
        ]} />
    </Panel>
  );
}
