import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys, nextPage } from '@bourse/api-client';
import type { Product, WalletLog } from '@bourse/contract';
import { Button, formatBalance, Num, Panel, Select, Table, type Column } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { useWallet } from '../../../core/wallet.js';
import { statement } from '../api/records.js';
import {
  CAUSES,
  filterFields,
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
import { collectRows } from '../../../parts/collect-rows.js';
import { Cause, When } from './statement-cells.js';
import { Check } from './statement-check.js';
import { TaxFile } from './tax-file.js';

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
    getNextPageParam: nextPage,
  });
  const rows = collectRows(list.data, (page) => page.data);
  const set = (change: Partial<StatementFilter>): void => setFilter((was) => ({ ...was, ...change }));
  const accountName = (account: string): string =>
    account in ACCOUNT_TEXT ? t(ACCOUNT_TEXT[account as Product]) : account;
  const all = { value: '', label: t('common.all') };
  const place = (row: WalletLog) => (
    <>
      {accountName(row.account)} <span className="text-t2">· {t(stateKey(row))}</span>
    </>
  );
  // On a phone the account and the time are under the cause, the balance under the amount.
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
      <TaxFile />
      <Panel>
        <div
          role="group"
          aria-label={t('wallet.filter')}
          className={
            'grid grid-cols-2 gap-3 p-4 lg:grid-cols-3 ' +
            'xl:grid-cols-[repeat(3,minmax(0,1fr))_repeat(2,minmax(12.5rem,1fr))_auto]'
          }
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
