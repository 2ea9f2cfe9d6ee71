import { useTranslation } from 'react-i18next';
import { Button, Empty, localTime, Num, timeOf } from '@bourse/ui';
import { pairsOf, useQuotations } from '../../../core/market.js';
import type { useEntrusts } from './use-entrusts.js';

export function useTimeCell(): (text: string) => React.ReactNode {
  return (text) => {
    const at = timeOf(text);
    return (
      <Num>
        <time title={`${text} UTC`}>{at === undefined ? '–' : localTime(at)}</time>
      </Num>
    );
  };
}

export function useScales(): (symbol: string) => { price: number; number: number } {
  const { groups } = useQuotations();
  return (symbol) => {
    const item = pairsOf(groups).find((pair) => pair.symbol === symbol);
    return { price: item?.price_scale ?? 8, number: item?.number_scale ?? 8 };
  };
}

export function Paged({
  query,
  children,
}: {
  query: Pick<
    ReturnType<typeof useEntrusts>['query'],
    'isError' | 'data' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  children: React.ReactNode;
}) {
  const { t } = useTranslation();
  if (query.isError && !query.data)
    return (
      <Empty action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}>
        {t('common.loadFailed')}
      </Empty>
    );
  const any = (query.data?.pages[0]?.list.length ?? 0) > 0;
  return (
    <>
      {children}
      {any && (
        <div className="p-3 text-center text-table text-t2">
          {query.hasNextPage ? (
            <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t('common.loadMore')}
            </Button>
          ) : (
            t('common.noMore')
          )}
        </div>
      )}
    </>
  );
}
