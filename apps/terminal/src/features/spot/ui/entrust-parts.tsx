import { atMost, grouped, Num } from '@bourse/ui';
import { pairsOf, useQuotations } from '../../../core/market.js';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import type { useEntrusts } from './use-entrusts.js';

export function useScales(): (symbol: string) => { price: number; number: number } {
  const { groups } = useQuotations();
  return (symbol) => {
    const item = pairsOf(groups).find((pair) => pair.symbol === symbol);
    return { price: item?.price_scale ?? 8, number: item?.number_scale ?? 8 };
  };
}

/** An amount of money with the coin it counts in. */
export const MoneyCell = ({ money, coin }: { money: string; coin: string }) => (
  <Num>
    {grouped(atMost(money, 8))} {coin}
  </Num>
);

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
  if (query.isError && !query.data) return <Failed retry={() => void query.refetch()} />;
  const any = (query.data?.pages[0]?.list.length ?? 0) > 0;
  return (
    <>
      {children}
      {any && <More query={query} />}
    </>
  );
}
