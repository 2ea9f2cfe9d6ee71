import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AcceptorDeal, DataPage } from '@bourse/contract';
import { Button, Empty, Skeleton } from '@bourse/ui';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { useServerClock } from '../../../parts/use-server-clock.js';
import { collectRows } from '../../../parts/collect-rows.js';
import { runs, SHOWN_FIRST, type Side } from '../model/acceptors.js';
import { DealCard } from './deal-card.js';

/** Deals one below the other; more than five are shown on request. */
export function DealCards({
  list,
  side,
  empty,
  actions,
}: {
  list: UseInfiniteQueryResult<InfiniteData<DataPage<AcceptorDeal>>>;
  side: Side;
  empty: string;
  actions: (deal: AcceptorDeal) => ReactNode;
}) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const rows = collectRows(list.data, (page) => page.data);
  const now = useServerClock(rows?.some(runs) ?? false);
  if (list.isError && !rows) return <Failed retry={() => void list.refetch()} />;
  if (!rows)
    return (
      <div className="flex flex-col gap-2 p-3">
        {[0, 1].map((row) => (
          <Skeleton key={row} className="h-32 w-full" />
        ))}
      </div>
    );
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  const hidden = all ? 0 : Math.max(0, rows.length - SHOWN_FIRST);
  return (
    <>
      <ul
        aria-label={t(side === 'user' ? 'acc.mine' : 'acc.orders')}
        className="divide-y divide-line border-t border-line"
      >
        {rows.slice(0, rows.length - hidden).map((deal) => (
          <DealCard key={deal.id} deal={deal} side={side} now={now}>
            {actions(deal)}
          </DealCard>
        ))}
      </ul>
      {hidden > 0 ? (
        <div className="p-2 text-center">
          <Button size="small" onClick={() => setAll(true)}>
            {t('acc.showMore', { number: hidden })}
          </Button>
        </div>
      ) : (
        <More query={list} />
      )}
    </>
  );
}
