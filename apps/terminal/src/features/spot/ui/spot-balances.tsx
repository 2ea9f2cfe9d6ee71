import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { compareDecimals } from '@bourse/money';
import type { CoinBalance } from '@bourse/contract';
import { Button, Checkbox, Empty, fixed, formatBalance, grouped, Num, Table, type Column } from '@bourse/ui';
import { useWallet } from '../../../core/wallet.js';

export function Balances() {
  const { t } = useTranslation();
  const { wallet, failed, retry } = useWallet();
  const [hideEmpty, setHideEmpty] = useState(false);
  const rows = wallet?.change_wallet.balance.filter(
    (coin) =>
      !hideEmpty ||
      compareDecimals(coin.change_balance, '0') !== 0 ||
      compareDecimals(coin.lock_change_balance, '0') !== 0,
  );
  const columns: Column<CoinBalance>[] = [
    { id: 'coin', header: t('balances.coin'), cell: (coin) => <Num>{coin.currency_name}</Num> },
    {
      id: 'available',
      header: t('balances.available'),
      end: true,
      cell: (coin) => <Num>{formatBalance(coin.change_balance)}</Num>,
    },
    {
      id: 'held',
      header: t('balances.held'),
      end: true,
      cell: (coin) => <Num>{formatBalance(coin.lock_change_balance)}</Num>,
    },
    {
      id: 'price',
      header: t('balances.usdtPrice'),
      end: true,
      cell: (coin) => <Num>{grouped(fixed(coin.usdt_price, 4))}</Num>,
    },
  ];
  if (failed)
    return <Empty action={<Button onClick={retry}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>;
  return (
    <>
      <div className="px-3 pt-2">
        <Checkbox
          label={t('balances.hideEmpty')}
          checked={hideEmpty}
          onChange={(event) => setHideEmpty(event.target.checked)}
        />
      </div>
      <Table
        label={t('orders.balances')}
        className="min-h-0 flex-1"
        rows={rows}
        columns={columns}
        rowKey={(coin) => String(coin.currency)}
        empty={t('balances.empty')}
      />
    </>
  );
}
