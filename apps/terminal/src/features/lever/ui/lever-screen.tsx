import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { Button, Empty } from '@bourse/ui';
import { MarketSkeleton } from '../../../market/layout/market-skeleton.js';
import { preloadQuotations } from '../../../core/market.js';
import { usePair } from '../../../market/pair/use-pair.js';
import { LeverMarket } from './lever-market.js';

/** Pairs that are open for leverage. */
export const forLever = (item: QuotationItem): boolean => item.open_lever === 1;

export { preloadQuotations as preload };

/** The leverage centre: waits for the catalogue, then shows the pair of the address. */
export default function LeverScreen() {
  const { t } = useTranslation();
  const { pair, groups, failed, retry, choose } = usePair(forLever);
  if (failed)
    return <Empty action={<Button onClick={retry}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>;
  if (!pair || !groups) return <MarketSkeleton />;
  return <LeverMarket pair={pair} groups={groups} onChoose={choose} />;
}
