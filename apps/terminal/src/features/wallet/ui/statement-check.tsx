import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import type { CheckedAccount, Product } from '@bourse/contract';
import { Button, formatBalance, Num, Panel, Table } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { statementCheck } from '../api/records.js';
import { accountHolds } from '../model/statement.js';
import { ACCOUNT_TEXT } from '../model/wallet.js';
import { Failed } from '../../../parts/failed.js';

const stateText = (state: string) => (state === 'held' ? 'wallet.frozen' : 'wallet.available');

/** Each account's balance beside the sum of its journals. */
export function Check() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const check = useQuery({
    queryKey: [...keys.statement, 'check'],
    staleTime: 10_000,
    queryFn: () => statementCheck(api),
  });
  if (check.isError && !check.data)
    return (
      <Panel>
        <Failed retry={() => void check.refetch()} />
      </Panel>
    );
  const right = check.data && check.data.ok === 1 && check.data.accounts.every(accountHolds);
  const accountName = (account: string): string =>
    account in ACCOUNT_TEXT ? t(ACCOUNT_TEXT[account as Product]) : account;
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-3 max-md:flex-col max-md:items-start">
        {right === undefined ? (
          <p className="text-t2">{t('wallet.checking')}</p>
        ) : (
          <p role="status" className={right ? 'text-up' : 'text-down'}>
            {right ? '✓ ' : '✗ '}
            {t(right ? 'wallet.statementOk' : 'wallet.statementBad')}
          </p>
        )}
        <div className="flex gap-2">
          <Button size="small" kind="quiet" busy={check.isFetching} onClick={() => void check.refetch()}>
            {t('wallet.checkAgain')}
          </Button>
          <Button size="small" aria-expanded={open} disabled={!check.data} onClick={() => setOpen(!open)}>
            {t('wallet.checkSums')}
          </Button>
        </div>
      </div>
      {open && check.data && (
        <Table
          label={t('wallet.checkSums')}
          rows={check.data.accounts}
          rowKey={(row) => `${row.account}:${row.state}:${row.currency}`}
          empty={t('wallet.noRecords')}
          columns={[
            {
              id: 'account',
              header: t('wallet.account'),
              wraps: true,
              cell: (row) => (
                <>
                  {accountName(row.account)} <span className="text-t2">· {t(stateText(row.state))}</span>{' '}
                  <span className="md:hidden">
                    <Equal row={row} />
                  </span>
                </>
              ),
            },
            {
              id: 'balance',
              header: t('wallet.balance'),
              end: true,
              cell: (row) => (
                <Num>
                  {formatBalance(row.balance)} {row.currency}
                </Num>
              ),
            },
            {
              id: 'sum',
              header: t('wallet.sumOfJournals'),
              end: true,
              className: 'max-md:hidden',
              cell: (row) => <Num>{formatBalance(row.sum)}</Num>,
            },
            {
              id: 'equal',
              header: t('wallet.equal'),
              end: true,
              className: 'max-md:hidden',
              cell: (row) => <Equal row={row} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}

/** Whether an account is what its journals make. */
function Equal({ row }: { row: CheckedAccount }) {
  const { t } = useTranslation();
  return accountHolds(row) ? (
    <span className="text-up">✓ {t('common.yes')}</span>
  ) : (
    <span className="text-down">✗ {t('common.no')}</span>
  );
}
