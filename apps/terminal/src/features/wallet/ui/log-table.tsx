import { useTranslation } from 'react-i18next';
import type { WalletLog } from '@bourse/contract';
import { Button, formatBalance, Num, Table } from '@bourse/ui';
import { SignedAmount } from '../../../parts/signed-amount.js';
import { Time } from '../../../parts/time.js';

/** Rows of a log with their cause, and the way to more. */
export function LogTable({
  rows,
  label,
  showCoin = false,
  more,
  loading,
  onMore,
}: {
  rows: readonly WalletLog[] | undefined;
  label: string;
  showCoin?: boolean;
  more: boolean;
  loading: boolean;
  onMore: () => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Table
        label={label}
        rows={rows}
        rowKey={(row) => row.id}
        empty={t('wallet.noRecords')}
        columns={[
          {
            id: 'time',
            header: t('wallet.time'),
            className: 'max-md:hidden',
            cell: (row) => <Time>{row.created_time}</Time>,
          },
          {
            id: 'info',
            header: t('wallet.record'),
            wraps: true,
            className: 'md:min-w-40',
            cell: (row) => (
              <>
                {row.info}
                <span className="block text-label text-t2 md:hidden">
                  <Time>{row.created_time}</Time>
                </span>
              </>
            ),
          },
          {
            id: 'value',
            header: t('wallet.amount'),
            end: true,
            cell: (row) => <SignedAmount amount={row.value} {...(showCoin && { coin: row.currency_name })} />,
          },
          {
            id: 'after',
            header: t('wallet.balanceAfter'),
            end: true,
            className: 'max-md:hidden',
            cell: (row) => <Num className="text-t2">{formatBalance(row.balance_after)}</Num>,
          },
        ]}
      />
      <div className="p-2 text-center text-table text-t2">
        {more ? (
          <Button size="small" busy={loading} onClick={onMore}>
            {t('common.loadMore')}
          </Button>
        ) : (
          rows && rows.length > 0 && t('common.noMore')
        )}
      </div>
    </>
  );
}
