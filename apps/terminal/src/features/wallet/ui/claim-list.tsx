import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keys, nextPage } from '@bourse/api-client';
import type { CoinBalance } from '@bourse/contract';
import { formatBalance, Num, Table } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { claims } from '../api/deposits.js';
import { AddressText } from '../../../parts/address-text.js';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { Time } from '../../../parts/time.js';
import { collectRows } from '../../../parts/collect-rows.js';

const STATES = { 1: 'open', 2: 'matched', 3: 'refused', 4: 'closed' } as const;

/** Claims and what became of them. */
export function ClaimList({
  currency,
  coins,
}: {
  currency: number | undefined;
  coins: readonly CoinBalance[] | undefined;
}) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    queryKey: [...keys.claims, currency ?? 0],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => claims(api, currency, pageParam),
    refetchInterval: 15_000,
    getNextPageParam: nextPage,
  });
  const rows = collectRows(list.data, (page) => page.data);
  if (list.isError && !rows) return <Failed retry={() => void list.refetch()} />;
  return (
    <>
      <Table
        label={t('wallet.claims')}
        rows={rows}
        rowKey={(row) => row.id}
        empty={t('wallet.noClaims')}
        columns={[
          { id: 'time', header: t('wallet.time'), cell: (row) => <Time>{row.create_time}</Time> },
          {
            id: 'amount',
            header: t('wallet.amount'),
            end: true,
            cell: (row) => (
              <Num>
                {formatBalance(row.amount)} {coins?.find((coin) => coin.currency === row.currency)?.currency_name}
              </Num>
            ),
          },
          { id: 'account', header: t('wallet.claimAccount'), cell: (row) => <AddressText>{row.account}</AddressText> },
          {
            id: 'state',
            header: t('wallet.status'),
            end: true,
            cell: (row) => t(`wallet.claimState.${STATES[row.status]}`),
          },
        ]}
      />
      {rows && rows.length > 0 && <More query={list} />}
    </>
  );
}
