import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, keys, newIntent } from '@bourse/api-client';
import type { Entrust, SpotOrder } from '@bourse/contract';
import { Button, Dialog, fixed, formatAmount, grouped, Num, Table, type Column } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { toastDone, toastError } from '@bourse/web';
import { ComplainLink } from '../../../parts/complain-link.js';
import { Time } from '../../../parts/time.js';
import { isLeg, isMarketKind } from '../model/orders.js';
import { ExitPrices, OrderKindCell, StopPrice } from './order-links.js';
import { useEntrusts } from './use-entrusts.js';
import { MoneyCell, Paged, useScales } from './entrust-parts.js';

/**
 * The orders behind the rows, by id: an entrust says neither its kind nor its trigger (api §2.3), and a stop must not
 * pass for a limit order. Each is asked for once.
 */
function useOrderKinds(rows: readonly Entrust[] | undefined): ReadonlyMap<string, SpotOrder> {
  const answers = useQueries({
    queries: (rows ?? []).map(({ id }) => ({
      queryKey: [...keys.orders, 'kind', id],
      staleTime: 10_000,
      queryFn: async () => (await api.get('/api/coin/order', { id }, { quiet: true })).message,
    })),
  });
  return new Map(answers.flatMap(({ data }) => (data ? [[data.id, data]] : [])));
}

/** The price of an order with the trigger of a stop under it; one without a price of its own says so. */
function OrderPrice({ price, order, scale }: { price: string; order: SpotOrder | undefined; scale: number }) {
  const { t } = useTranslation();
  return (
    <>
      <Num>{order && isMarketKind(order.order_type) ? t('ticket.best') : grouped(fixed(price, scale))}</Num>
      {order && <StopPrice order={order} shown={(stop) => grouped(fixed(stop, scale))} />}
      {order && <ExitPrices order={order} shown={(price) => grouped(fixed(price, scale))} />}
    </>
  );
}

export function OpenEntrusts({ tab }: { tab: 'in' | 'out' }) {
  const { t } = useTranslation();
  const { query, rows } = useEntrusts(tab, (page) => api.post(`/api/transaction_${tab}`, { page }, { quiet: true }));
  const [asked, setAsked] = useState<Entrust | undefined>();
  const [locked, setLocked] = useState<ReadonlySet<string>>(new Set());
  const scales = useScales();
  const kinds = useOrderKinds(rows);
  const revoke = async (row: Entrust): Promise<void> => {
    setAsked(undefined);
    setLocked((was) => new Set([...was, row.id]));
    try {
      const { message } = await api.post('/api/transaction_del', { id: row.id, type: tab }, { intent: newIntent() });
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
  const revokeText = (row: Entrust): string => {
    const order = kinds.get(row.id);
    const text = t('entrust.revokeText', { amount: amount(row, row.number), pair: pairOf(row) });
    return order && isLeg(order) ? `${text} ${t('orders.cancelPair')}` : text;
  };
  const columns: Column<Entrust>[] = [
    { id: 'time', header: t('orders.time'), cell: (row) => <Time>{row.create_time}</Time> },
    {
      id: 'pair',
      header: t('orders.pair'),
      card: 'title',
      cell: (row) => <Num className="font-medium">{pairOf(row)}</Num>,
    },
    {
      id: 'type',
      header: t('orders.type'),
      cell: (row) => {
        const order = kinds.get(row.id);
        return order ? <OrderKindCell order={order} /> : '…';
      },
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
      cell: (row) => <MoneyCell money={row.total_money} coin={row.legal_name} />,
    },
    {
      id: 'action',
      header: <span className="sr-only">{t('orders.action')}</span>,
      end: true,
      sticky: true,
      cell: (row) => (
        <span className="inline-flex items-center gap-3">
          <ComplainLink kind="trade" about={row.id} compact />
          <Button size="small" busy={locked.has(row.id)} onClick={() => setAsked(row)}>
            {t('entrust.revoke')}
          </Button>
        </span>
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
        description={asked && revokeText(asked)}
        actions={
          <>
            <Button onClick={() => setAsked(undefined)}>{t('orders.keep')}</Button>
            <Button
              kind="danger"
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
