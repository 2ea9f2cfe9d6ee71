import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { Panel } from '@bourse/ui';
import { useWallet } from '../../../core/wallet.js';
import { ClaimList } from './claim-list.js';
import { CoinSelect } from '../../../parts/coin-select.js';

/** Claims of one coin (`current`), or of all. */
export default function ChargeRecord() {
  const { t } = useTranslation();
  const { wallet } = useWallet();
  const [query, setQuery] = useSearchParams();
  const coins = wallet?.change_wallet.balance;
  const current = query.get('current');
  const coin = coins?.find(({ currency, currency_name: name }) => String(currency) === current || name === current);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <h1 className="text-last font-semibold">{t('wallet.claims')}</h1>
        <div className="flex items-end gap-3">
          <Link
            to={`/rechargeMoney${coin ? `?id=${coin.currency}&current=${coin.currency_name}` : ''}`}
            className="inline-flex h-10 items-center text-button text-t2 underline hover:text-t1"
          >
            {t('wallet.depositTitle')}
          </Link>
          <CoinSelect
            all
            coins={coins}
            value={coin?.currency}
            onChange={(id) => setQuery(id ? { current: String(id) } : {}, { replace: true })}
          />
        </div>
      </div>
      <p className="mb-3 text-t2">{t('wallet.claimText')}</p>
      <Panel>
        <ClaimList key={coin?.currency ?? 0} currency={coin?.currency} coins={coins} />
      </Panel>
    </>
  );
}
