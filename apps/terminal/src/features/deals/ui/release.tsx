import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { Ad, Coin } from '@bourse/contract';
import { useLeave } from '../../../core/use-leave.js';
import { Note } from '../../../parts/note.js';
import { Panel, Segmented, Skeleton } from '@bourse/ui';
import { toastDone } from '@bourse/web';
import { Failed } from '../../../parts/failed.js';
import { publishAd, useLegalCoins, useMarket } from '../../../deals/api/ads.js';
import { AdForm } from '../../../deals/ui/ad-form.js';
import { useLegalBalance } from '../../../deals/ui/take-dialog.js';
import { DEALS_PAGE, DealsHead } from './deals-head.js';

/** Publishes ads: a box that buys and a box that sells, side by side where there is room. */
export default function Release() {
  const { t } = useTranslation();
  const { coins, failed, retry } = useLegalCoins();
  const [params, setParams] = useSearchParams();
  const [type, setType] = useState<Ad['type']>('sell');
  const asked = Number(params.get('currency_id'));
  const coin = coins?.find(({ id }) => id === asked) ?? coins?.find(({ name }) => name === 'USDT') ?? coins?.[0];
  return (
    <div className={DEALS_PAGE}>
      <DealsHead title={t('deals.release')} />
      {failed ? (
        <Failed retry={retry} />
      ) : !coins || !coin ? (
        <Skeleton className="h-96 w-full" />
      ) : (
        <>
          <div className="flex flex-wrap gap-3">
            <Segmented
              label={t('common.coin')}
              value={String(coin.id)}
              choices={coins.map(({ id, name }) => ({ value: String(id), label: name }))}
              onChange={(id) => setParams({ currency_id: id }, { replace: true })}
            />
            <Segmented<Ad['type']>
              className="md:hidden"
              label={t('deals.sideName')}
              value={type}
              choices={(['buy', 'sell'] as const).map((value) => ({ value, label: t(`deals.side.${value}`) }))}
              onChange={setType}
            />
          </div>
          <Note>
            <p>{t('deals.releaseNote')}</p>
          </Note>
          <Boxes key={coin.id} coin={coin} shown={type} />
        </>
      )}
    </div>
  );
}

function Boxes({ coin, shown }: { coin: Coin; shown: Ad['type'] }) {
  const leave = useLeave();
  const available = useLegalBalance(coin.id);
  const feeRate = useFeeRate(coin.id);
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {(['buy', 'sell'] as const).map((type) => (
        <Panel key={type} className={type === shown ? '' : 'max-md:hidden'}>
          <AdForm
            type={type}
            coin={coin}
            feeRate={feeRate}
            available={available}
            send={async (fields, intent) => {
              toastDone(await publishAd(fields, intent));
              void leave('/c2cOrder?tab=ads');
            }}
          />
        </Panel>
      ))}
    </div>
  );
}

/** The fee as ads on the market say it: it is one for all. Undefined where there is no ad yet. */
function useFeeRate(currency: number): string | undefined {
  const sells = useMarket('/api/c2c_deal_platform', { type: 'sell', currency_id: currency });
  const buys = useMarket('/api/c2c_deal_platform', { type: 'buy', currency_id: currency });
  return (sells.rows?.[0] ?? buys.rows?.[0])?.fee_rate;
}
