import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import type { CheckedAccount, Product, WalletLog } from '@bourse/contract';
import { Button, formatBalance, Num, Panel, Select, Table, type Column } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { useWallet } from '../../../core/wallet.js';
import { statement, statementCheck } from '../api/records.js';
import {
  accountHolds,
  CAUSES,
  filterFields,
  homeOfCause,
  NO_FILTER,
  spanIsTurned,
  STATEMENT_ACCOUNTS,
  stateKey,
  type StatementFilter,
} from '../model/statement.js';
import { ACCOUNT_TEXT } from '../model/wallet.js';
import { StatementExport } from './statement-export.js';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { Time } from '../../../parts/time.js';

/**
 * Every booking on every account, available and frozen, each with its cause; and the proof that balances are their
 * sums.
 */
export default function Statement() {
  const { t } = useTranslation();
  const { wallet } = useWallet();
  const [filter, setFilter] = useState<StatementFilter>(NO_FILTER);
  const turned = spanIsTurned(filter);
  const fields = filterFields(filter);
  const list = useInfiniteQuery({
    queryKey: [...keys.statement, 'list', fields],
    initialPageParam: 1,
    enabled: !turned,
    queryFn: ({ pageParam }) => statement(api, fields, pageParam),
    getNextPageParam: (last) => (last.has_more === 1 ? last.page + 1 : undefined),
  });
  const rows = list.data?.pages.flatMap((page) => page.data);
  const set = (change: Partial<StatementFilter>): void => setFilter((was) => ({ ...was, ...change }));
  const accountName = (account: string): string =>
    account in ACCOUNT_TEXT ? t(ACCOUNT_TEXT[account as Product]) : account;
  const all = { value: '', label: t('common.all') };
  const place = (row: WalletLog) => (
    <>
      {accountName(row.account)} <span className="text-t2">· {t(stateKey(row))}</span>
    </>
  );
  // On a phone the account and the time stand under the cause, the balance under the amount.
  const columns: Column<WalletLog>[] = [
    {
      id: 'time',
      header: t('wallet.time'),
      className: 'max-md:hidden',
      cell: (row) => <Time>{row.created_time}</Time>,
    },
    {
      id: 'cause',
      header: t('wallet.cause'),
      wraps: true,
      className: 'md:min-w-44',
      cell: (row) => (
        <>
          <Cause row={row} />
          <span className="block text-label text-t2 md:hidden">
            {place(row)}
            <br />
            <span className="whitespace-nowrap">
              <Time>{row.created_time}</Time>
            </span>
          </span>
        </>
      ),
    },
    {
      id: 'amount',
      header: t('wallet.amount'),
      end: true,
      cell: (row) => (
        <>
          <Num
            className={row.value.startsWith('-') ? 'text-down' : 'text-up'}
          >{`${row.value.startsWith('-') ? '' : '+'}${formatBalance(row.value)} ${row.currency_name}`}</Num>
          <Num className="block text-label text-t2 md:hidden">{formatBalance(row.balance_after)}</Num>
        </>
      ),
    },
    { id: 'account', header: t('wallet.account'), className: 'max-md:hidden', cell: (row) => place(row) },
    {
      id: 'after',
      header: t('wallet.balanceAfter'),
      end: true,
      className: 'max-md:hidden',
      cell: (row) => <Num className="text-t2">{formatBalance(row.balance_after)}</Num>,
    },
    {
      id: 'journal',
      header: t('wallet.journal'),
      end: true,
      className: 'max-md:hidden',
      cell: (row) => <Num className="text-t2">{row.journal_id}</Num>,
    },
  ];
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-last font-semibold">{t('wallet.statement')}</h1>
        <StatementExport filter={filter} />
      </div>
      <Check />
      <Panel>
        <div
          role="group"
          aria-label={t('wallet.filter')}
          className="grid grid-cols-2 gap-3 p-4 md:grid-cols-3 xl:grid-cols-6"
        >
          <Select
            label={t('wallet.account')}
            value={filter.account}
            onChange={(account) => set({ account })}
            options={[all, ...STATEMENT_ACCOUNTS.map((value) => ({ value, label: t(ACCOUNT_TEXT[value]) }))]}
          />
          <Select
            label={t('common.coin')}
            value={filter.currency}
            onChange={(currency) => set({ currency })}
            options={[
              all,
              ...(wallet?.change_wallet.balance ?? []).map((coin) => ({
                value: String(coin.currency),
                label: coin.currency_name,
              })),
            ]}
          />
          <Select
            label={t('wallet.cause')}
            value={filter.cause}
            onChange={(cause) => set({ cause })}
            options={[all, ...CAUSES.map((value) => ({ value, label: t(`wallet.causes.${value}`) }))]}
          />
          <When label={t('wallet.filterFrom')} value={filter.from} onChange={(from) => set({ from })} wrong={turned} />
          <When label={t('wallet.filterTo')} value={filter.to} onChange={(to) => set({ to })} wrong={turned} />
          <div className="flex items-end">
            <Button
              kind="quiet"
              disabled={JSON.stringify(filter) === JSON.stringify(NO_FILTER)}
              onClick={() => setFilter(NO_FILTER)}
            >
              {t('wallet.filterClear')}
            </Button>
          </div>
        </div>
        {turned && (
          <p role="alert" className="px-4 pb-3 text-table text-down">
            {t('wallet.spanTurned')}
          </p>
        )}
        {list.isError && !rows ? (
          <Failed retry={() => void list.refetch()} />
        ) : (
          <Table
            label={t('wallet.statement')}
            rows={turned ? [] : rows}
            rowKey={(row) => row.id}
            empty={t('wallet.noRecords')}
            columns={columns}
          />
        )}
        {rows && rows.length > 0 && !turned && <More query={list} />}
      </Panel>
    </div>
  );
}

/** The cause in words, and the way to where it is at home. */
function Cause({ row }: { row: WalletLog }) {
  const home = homeOfCause(row.cause_type);
  const words = (
    <>
      {row.info}
      {row.cause_id !== '' && (
        <span className="ms-1 text-t2">
          <Num>#{row.cause_id.length > 10 ? `${row.cause_id.slice(0, 8)}…` : row.cause_id}</Num>
        </span>
      )}
    </>
  );
  return home ? (
    <Link to={home} title={row.cause_id} className="underline decoration-line-strong underline-offset-2 hover:text-t1">
      {words}
    </Link>
  ) : (
    <span title={row.cause_id}>{words}</span>
  );
}

function When({
  label,
  value,
  onChange,
  wrong,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  wrong: boolean;
}) {
  return (
    <label className="flex min-w-0 flex-col gap-1">
      <span className="text-table text-t2">{label}</span>
      <input
        type="datetime-local"
        value={value}
        aria-invalid={wrong || undefined}
        onChange={(event) => onChange(event.target.value)}
        className="h-10 min-w-0 rounded-panel border border-line-strong bg-bg2 px-2 text-table text-t1"
      />
    </label>
  );
}

/** Each account's balance beside the sum of its journals. */
function Check() {
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
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-3">
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
                  {accountName(row.account)}{' '}
                  <span className="text-t2">· {t(row.state === 'held' ? 'wallet.frozen' : 'wallet.available')}</span>{' '}
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
