import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import { Num, Panel, Table } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { useWallet } from '../../../core/wallet.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { allAddresses } from '../api/deposits.js';
import { AddressText } from '../../../parts/address-text.js';
import { Failed } from '../../../parts/failed.js';

/** Own deposit addresses of all coins, with the names of their networks. */
export default function Addresses() {
  const { t } = useTranslation();
  const { wallet } = useWallet();
  const list = useQuery({
    queryKey: [...keys.wallet, 'addresses'],
    staleTime: 60_000,
    enabled: wallet?.is_open_CTbi === 1,
    queryFn: () => allAddresses(api, wallet?.change_wallet.balance ?? []),
  });
  return (
    <>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-3">
        <h1 className="text-last font-semibold">{t('wallet.allAddresses')}</h1>
        <Link to="/rechargeMoney" className="text-table text-t2 underline hover:text-t1">
          {t('wallet.depositTitle')}
        </Link>
      </div>
      <Panel>
        {wallet && wallet.is_open_CTbi !== 1 ? (
          <p role="status" className="p-6 text-center text-t2">
            {t('noopen')}
          </p>
        ) : list.isError && !list.data ? (
          <Failed retry={() => void list.refetch()} />
        ) : (
          <Table
            label={t('wallet.allAddresses')}
            rows={list.data}
            rowKey={(row) => `${row.currency}:${row.network}`}
            empty={t('wallet.noRecords')}
            columns={[
              {
                id: 'coin',
                header: t('common.coin'),
                cell: (row) => (
                  <Link
                    className="font-medium underline hover:text-t1"
                    to={`/rechargeMoney?id=${row.currency}&current=${row.coin}`}
                  >
                    <Num>{row.coin}</Num>
                  </Link>
                ),
              },
              { id: 'network', header: t('wallet.network'), cell: (row) => <Num>{row.network}</Num> },
              {
                id: 'address',
                header: t('wallet.depositAddress'),
                cell: (row) => (
                  <>
                    <AddressText>{row.address}</AddressText>
                    {row.memo !== '' && (
                      <span className="block text-label text-t2">
                        {t('wallet.memo')} <Num>{row.memo}</Num>
                      </span>
                    )}
                  </>
                ),
              },
              {
                id: 'copy',
                header: <span className="sr-only">{t('common.copy')}</span>,
                end: true,
                sticky: true,
                cell: (row) => <CopyButton text={row.address} what={`${row.coin} ${row.network}`} />,
              },
            ]}
          />
        )}
      </Panel>
    </>
  );
}
