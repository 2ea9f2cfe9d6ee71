import { useTranslation } from 'react-i18next';
import { Empty } from '@bourse/ui';
import { MarketSkeleton } from '../../../market/layout/market-skeleton.js';
import { preloadQuotations } from '../../../core/market.js';
import { usePair } from '../../../market/pair/use-pair.js';
import { Failed } from '../../../parts/failed.js';
import { MicroMarket } from './micro-market.js';

export { preloadQuotations as preload };

/** The seconds centre: waits for the catalogue, then shows the pair of the address. */
export default function MicroScreen() {
  const { t } = useTranslation();
  const { pair, groups, failed, retry, choose } = usePair((item) => item.open_microtrade === 1);
  if (failed) return <Failed retry={retry} />;
  if (!groups) return <MarketSkeleton />;
  if (!pair) return <Empty>{t('micro.noMarket')}</Empty>;
  return <MicroMarket pair={pair} groups={groups} onChoose={choose} />;
}
