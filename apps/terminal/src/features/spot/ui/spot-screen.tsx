import { useTranslation } from 'react-i18next';
import { Button, Empty } from '@bourse/ui';
import { MarketSkeleton } from '../../../market/layout/market-skeleton.js';
import { preloadQuotations } from '../../../core/market.js';
import { usePair } from '../../../market/pair/use-pair.js';
import { SpotMarket } from './spot-market.js';

export { preloadQuotations as preload };

/** The spot screen: waits for the catalogue, then shows the pair of the address. */
export default function SpotScreen() {
  const { t } = useTranslation();
  const { pair, groups, failed, retry, choose } = usePair();
  if (failed)
    return <Empty action={<Button onClick={retry}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>;
  if (!pair || !groups) return <MarketSkeleton />;
  return <SpotMarket pair={pair} groups={groups} onChoose={choose} />;
}
