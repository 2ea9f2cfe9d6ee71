import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import { formatBalance, Num, Panel, Skeleton, Table } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { Failed } from '../../../parts/failed.js';
import { statementCheck } from '../api/records.js';
import { holds } from '../api/wallet.js';
import { accountHolds } from '../model/statement.js';
import { StatementExport } from './statement-export.js';

/**
 * The proof that goes with the balances: they equal their journals, what is frozen has a cause, and all of it can be
 * taken home.
 */
export function StatementBox() {
  const { t } = useTranslation();
  const check = useQuery({
    queryKey: [...keys.statement, 'check'],
    staleTime: 30_000,
    queryFn: () => statementCheck(api),
  });
  const frozen = useQuery({ queryKey: [...keys.wallet, 'holds'], queryFn: () => holds(api), refetchInterval: 10_000 });
  const right = check.data?.accounts.every(accountHolds) === true && check.data.ok === 1;
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-title font-semibold">{t('wallet.statement')}</h2>
        <div className="flex items-center gap-3">
          <Link to="/finanrec" className="text-table text-t2 underline hover:text-t1">
            {t('wallet.statementOpen')}
          </Link>
          <StatementExport />
        </div>
      </div>
      {check.isPending && <Skeleton className="h-5 w-64" />}
      {check.isError && !check.data && <Failed retry={() => void check.refetch()} />}
      {check.data && (
        <p className={right ? 'text-up' : 'text-down'}>
          {right ? '✓ ' : '✗ '}
          {t(right ? 'wallet.statementOk' : 'wallet.statementBad')}
        </p>
      )}
      <h3 className="text-body text-t2">{t('wallet.holds')}</h3>
      {frozen.isError && !frozen.data ? (
        <Failed retry={() => void frozen.refetch()} />
      ) : (
        <Table
          label={t('wallet.holds')}
          rows={frozen.data}
          rowKey={(row) => `${row.account}:${row.currency_name}:${row.cause_type}:${row.cause_id}`}
          empty={t('wallet.noHolds')}
          columns={[
            { id: 'cause', header: t('wallet.cause'), cell: (row) => row.info || <Num>{row.cause_id}</Num> },
            {
              id: 'amount',
              header: t('wallet.amount'),
              end: true,
              cell: (row) => <Num>{`${formatBalance(row.amount)} ${row.currency_name}`}</Num>,
            },
          ]}
        />
      )}
    </Panel>
  );
}
