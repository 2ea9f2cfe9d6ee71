import { useTranslation } from 'react-i18next';
import { ClaimForm } from './claim-form.js';
import { CoinPage } from './coin-page.js';
import { DepositList } from './deposit-list.js';
import { DepositPanel } from './deposit-panel.js';

/** One coin's deposit: its address, what is on its way, and a claim for what has not arrived. */
export default function DepositPage() {
  const { t } = useTranslation();
  return (
    <CoinPage
      title={t('wallet.depositTitle')}
      link={{ to: '/account/recharge', text: t('wallet.allAddresses') }}
      panel={({ currency, currency_name: coin }, onSettled) => (
        <DepositPanel key={currency} {...{ currency, coin, onSettled }} />
      )}
      listTitle={t('wallet.deposits')}
      list={({ currency }) => <DepositList key={currency} currency={currency} />}
    >
      {({ currency, currency_name: coin }) => <ClaimForm key={currency} currency={currency} coin={coin} />}
    </CoinPage>
  );
}
