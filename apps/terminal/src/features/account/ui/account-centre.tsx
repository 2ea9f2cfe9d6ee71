import { useTranslation } from 'react-i18next';
import type { WalletList } from '@bourse/contract';
import { formatBalance, Num, Panel, Skeleton, Table } from '@bourse/ui';
import { useWorth } from '../../../core/reference.js';
import { useSession } from '../../../core/session.js';
import { useWallet } from '../../../core/wallet.js';
import { hasScreen } from '../../../paths.js';
import { Failed } from '../../../parts/failed.js';
import { ActionLink } from './parts.js';

type Row = WalletList['list'][number];

/** Greeting, total, and what there is of each coin. */
export default function AccountCentre() {
  const { t } = useTranslation();
  const info = useSession((session) => session.info);
  const { wallet, failed, retry } = useWallet();
  const worth = useWorth();
  const deposit = ['/account/recharge', '/recharge'].find(hasScreen) ?? '/finance';
  return (
    <div className="flex flex-col gap-4">
      <Panel className="flex flex-wrap items-center justify-between gap-4 p-4">
        <div className="min-w-0">
          <h1 className="text-title font-semibold">
            {info ? (
              t('centre.greeting', { account: `\u2066${info.account_number}\u2069` })
            ) : (
              <Skeleton className="h-6 w-56" />
            )}
          </h1>
          <p className="mt-3 text-table text-t2">{t('centre.total')}</p>
          {wallet ? (
            <p className="text-balance font-semibold">
              <Num>{worth(wallet.total_assets)}</Num>
            </p>
          ) : failed ? null : (
            <Skeleton className="h-9 w-48" />
          )}
        </div>
        <ActionLink primary to={deposit}>
          {t('centre.charge')}
        </ActionLink>
      </Panel>
      <Panel>
        {failed ? (
          <Failed retry={retry} />
        ) : (
          <Table<Row>
            label={t('centre.coins')}
            rows={wallet?.list}
            rowKey={(row) => row.token}
            empty={t('centre.empty')}
            columns={[
              {
                id: 'token',
                header: t('centre.token'),
                cell: (row) => <Num className="text-button font-medium">{row.token}</Num>,
              },
              {
                id: 'available',
                header: t('centre.available'),
                end: true,
                cell: (row) => <Num>{formatBalance(row.balance)}</Num>,
              },
              {
                id: 'frozen',
                header: t('centre.frozen'),
                end: true,
                cell: (row) => <Num className="text-t2">{formatBalance(row.lock_balance)}</Num>,
              },
            ]}
          />
        )}
      </Panel>
    </div>
  );
}
