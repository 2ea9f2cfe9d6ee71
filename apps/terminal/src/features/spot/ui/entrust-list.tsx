import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, keys, newIntent } from '@bourse/api-client';
import type { Complete, Entrust, ListPage, SpotOrder } from '@bourse/contract';
import {
  atMost,
  Button,
  Dialog,
  Empty,
  fixed,
  formatAmount,
  grouped,
  localTime,
  Num,
  Panel,
  Table,
  Tabs,
  timeOf,
  type Column,
} from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { pairsOf, useQuotations } from '../../../core/market.js';
import { toastDone, toastError } from '../../../core/toasts.js';

type Tab = 'out' | 'in' | 'complete';
const PATHS: Record<Tab, string> = {
  out: '/api/transaction_out',
  in: '/api/transaction_in',
  complete: '/api/transaction_complete',
};

/** One page after the other of an entrust list; the lists refresh like the orders of the deal centre. */
function useEntrusts<Row>(tab: Tab) {
  const query = useInfiniteQuery({
    queryKey: keys.entrust(tab),
    refetchInterval: 10_000,
    initialPageParam: 1,
    queryFn: async ({ pageParam }) =>
      (await api.post<ListPage<Row>>(PATHS[tab], { page: pageParam }, { quiet: true })).message,
    getNextPageParam: (last: ListPage<Row>) => (last.has_more === 1 ? last.page + 1 : undefined),
  });
  return { query, rows: query.data?.pages.flatMap((page) => page.list) };
}

/** Entrust list: open sells, open buys, completed trades. */
export default function EntrustList() {
  const { t } = useTranslation();
  const [tab, setTab] = useState<Tab>('out');
  return (
    <>
      <h1 className="mb-4 text-title font-semibold">{t('entrust.title')}</h1>
      <Panel>
        <Tabs<Tab>
          label={t('entrust.title')}
          value={tab}
          onChange={setTab}
          tabs={[
            { id: 'out', label: t('entrust.selling') },
            { id: 'in', label: t('entrust.buying') },
            { id: 'complete', label: t('entrust.completed') },
          ]}
        >
          {tab === 'complete' ? <CompletedTrades /> : <OpenEntrusts key={tab} tab={tab} />}
        </Tabs>
      </Panel>
    </>
  );
}

function useTimeCell(): (text: string) => React.ReactNode {
  return (text) => {
    const at = timeOf(text);
    return (
      <Num>
        <time title={`${text} UTC`}>{at === undefined ? '–' : localTime(at)}</time>
      </Num>
    );
  };
}

function useScales(): (symbol: string) => { price: number; number: number } {
  const { groups } = useQuotations();
  return (symbol) => {
    const item = pairsOf(groups).find((pair) => pair.symbol === symbol);
    return { price: item?.price_scale ?? 8, number: item?.number_scale ?? 8 };
  };
}

/**
 * The orders behind the rows, by id: an entrust says neither its kind nor its trigger (api §2.3), and a stop must not pass
 * for a limit order. Each is asked for once.
 */
function useOrderKinds(rows: readonly Entrust[] | undefined): ReadonlyMap<string, SpotOrder> {
  const answers = useQueries({
    queries: (rows ?? []).map(({ id }) => ({
      queryKey: [...keys.orders, 'kind', id],
      staleTime: 10_000,
      queryFn: async () => (await api.get<SpotOrder>('/api/coin/order', { id }, { quiet: true })).message,
    })),
  });
  return new Map(answers.flatMap(({ data }) => (data ? [[data.id, data]] : [])));
}

/** The price of an order with the trigger of a stop under it; one without a price of its own says so. */
function OrderPrice({ price, order, scale }: { price: string; order: SpotOrder | undefined; scale: number }) {
  const { t } = useTranslation();
  const stop = order?.order_type.startsWith('stop') === true;
  return (
    <>
      <Num>
        {order?.order_type === 'stop_market' || order?.order_type === 'market'
          ? t('ticket.best')
          : grouped(fixed(price, scale))}
      </Num>
      {stop && (
        <Num className="block text-label text-t2">
          {t('ticket.stopPrice')} {grouped(fixed(order.stop_price, scale))}
        </Num>
      )}
    </>
  );
}

function OpenEntrusts({ tab }: { tab: 'in' | 'out' }) {
  const { t } = useTranslation();
  const { query, rows } = useEntrusts<Entrust>(tab);
  const [asked, setAsked] = useState<Entrust | undefined>();
  const [locked, setLocked] = useState<ReadonlySet<string>>(new Set());
  const time = useTimeCell();
  const scales = useScales();
  const kinds = useOrderKinds(rows);
  const revoke = async (row: Entrust): Promise<void> => {
    setAsked(undefined);
    setLocked((was) => new Set([...was, row.id]));
    try {
      const { message } = await api.post<string>(
        '/api/transaction_del',
        { id: row.id, type: tab },
        { intent: newIntent() },
      );
      toastDone(message);
    } catch (error) {
      if (!(error instanceof ApiError)) toastError(t('ticket.noAnswer'));
    } finally {
      await queryClient.invalidateQueries({ queryKey: keys.orders });
      setLocked((was) => new Set([...was].filter((id) => id !== row.id)));
    }
  };
  const pairOf = (row: Entrust): string => `${row.currency_name}/${row.legal_name}`;
  const amount = (row: Entrust, text: string): string => formatAmount(text, scales(pairOf(row)).number);
  const columns: Column<Entrust>[] = [
    { id: 'time', header: t('orders.time'), priority: 'wide', cell: (row) => time(row.create_time) },
    {
      id: 'pair',
      header: t('orders.pair'),
      card: 'title',
      cell: (row) => <Num className="font-medium">{pairOf(row)}</Num>,
    },
    {
      id: 'type',
      header: t('orders.type'),
      cell: (row) => (kinds.get(row.id) ? t(`orders.kind.${kinds.get(row.id)?.order_type}`) : '…'),
    },
    {
      id: 'price',
      header: t('orders.price'),
      end: true,
      cell: (row) => <OrderPrice price={row.price} order={kinds.get(row.id)} scale={scales(pairOf(row)).price} />,
    },
    {
      id: 'total',
      header: t('entrust.totalNumber'),
      end: true,
      cell: (row) => <Num>{amount(row, row.total_number)}</Num>,
    },
    {
      id: 'complete',
      header: t('entrust.completeNumber'),
      end: true,
      cell: (row) => <Num>{amount(row, row.complete_number)}</Num>,
    },
    { id: 'left', header: t('entrust.left'), end: true, cell: (row) => <Num>{amount(row, row.number)}</Num> },
    {
      id: 'money',
      header: t('entrust.totalMoney'),
      end: true,
      cell: (row) => (
        <Num>
          {grouped(atMost(row.total_money, 8))} {row.legal_name}
        </Num>
      ),
    },
    {
      id: 'action',
      header: <span className="sr-only">{t('orders.action')}</span>,
      end: true,
      sticky: true,
      cell: (row) => (
        <Button size="small" busy={locked.has(row.id)} onClick={() => setAsked(row)}>
          {t('entrust.revoke')}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Paged query={query}>
        <Table
          label={t(tab === 'in' ? 'entrust.buying' : 'entrust.selling')}
          rows={rows}
          columns={columns}
          rowKey={(row) => row.id}
          empty={t('entrust.empty')}
          rowClassName={(row) => (locked.has(row.id) ? 'opacity-60' : undefined)}
        />
      </Paged>
      <Dialog
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t('entrust.revokeTitle')}
        closeLabel={t('common.close')}
        description={asked && t('entrust.revokeText', { amount: amount(asked, asked.number), pair: pairOf(asked) })}
        actions={
          <>
            <Button onClick={() => setAsked(undefined)}>{t('orders.keep')}</Button>
            <Button
              kind="danger"
              data-autofocus=""
              onClick={() => {
                if (asked) void revoke(asked);
              }}
            >
              {t('entrust.revoke')}
            </Button>
          </>
        }
      />
    </>
  );
}

function CompletedTrades() {
  const { t } = useTranslation();
  const { query, rows } = useEntrusts<Complete>('complete');
  const time = useTimeCell();
  const scales = useScales();
  const pairOf = (row: Complete): string => `${row.currency_name}/${row.legal_name}`;
  const columns: Column<Complete>[] = [
    { id: 'time', header: t('orders.time'), cell: (row) => time(row.time) },
    { id: 'pair', header: t('orders.pair'), cell: (row) => <Num>{pairOf(row)}</Num> },
    {
      id: 'side',
      header: t('orders.side'),
      cell: (row) => (
        <span className={row.type === 'in' ? 'text-up' : 'text-down'}>
          {t(row.type === 'in' ? 'ticket.buy' : 'ticket.sell')}
        </span>
      ),
    },
    {
      id: 'price',
      header: t('orders.price'),
      end: true,
      cell: (row) => <Num>{grouped(fixed(row.price, scales(pairOf(row)).price))}</Num>,
    },
    {
      id: 'amount',
      header: t('orders.amount'),
      end: true,
      cell: (row) => <Num>{formatAmount(row.number, scales(pairOf(row)).number)}</Num>,
    },
    {
      id: 'money',
      header: t('entrust.totalMoney'),
      end: true,
      cell: (row) => (
        <Num>
          {grouped(atMost(row.total_money, 8))} {row.legal_name}
        </Num>
      ),
    },
    {
      id: 'fee',
      header: t('orders.fee'),
      end: true,
      cell: (row) => (
        <Num>
          {row.type === 'in'
            ? `${grouped(atMost(row.in_fee, 8))} ${row.currency_name}`
            : `${grouped(atMost(row.out_fee, 8))} ${row.legal_name}`}
        </Num>
      ),
    },
  ];
  return (
    <Paged query={query}>
      <Table
        label={t('entrust.completed')}
        rows={rows}
        columns={columns}
        rowKey={(row) => `${row.id} ${row.type}`}
        empty={t('entrust.emptyCompleted')}
      />
    </Paged>
  );
}

function Paged({
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
