import { useTranslation } from 'react-i18next';
import { coinRow } from '../model/wallet.js';
import { CoinPage } from './coin-page.js';
import { WithdrawPanel } from './withdraw-panel.js';
import { WithdrawalList } from './withdrawal-list.js';

/** One coin's withdrawal, and the withdrawals of that coin with the way each has gone. */
export default function WithdrawPage() {
  const { t } = useTranslation();
  return (
    <CoinPage
      title={t('wallet.withdrawCoins')}
      link={{ to: '/withdraw_address', text: t('nav.withdrawAddress') }}
      panel={(coin, onSettled) => (
        <WithdrawPanel
          key={coin.currency}
          currency={coin.currency}
          coin={coin.currency_name}
          available={coinRow(coin, 'change').available}
          onSettled={onSettled}
        />
      )}
      listTitle={t('wallet.withdrawals')}
      list={({ currency }) => <WithdrawalList key={currency} currency={currency} />}
    />
  );
}
