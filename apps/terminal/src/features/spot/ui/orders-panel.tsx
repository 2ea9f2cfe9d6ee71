import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { ApiError } from '@bourse/api-client';
import { compareDecimals } from '@bourse/money';
import type { CoinBalance, QuotationItem, SpotOrder } from '@bourse/contract';
import {
  atMost,
  Button,
  Checkbox,
  cx,
  Dialog,
  Empty,
  fixed,
  formatAmount,
  formatBalance,
  formatBookPrice,
  grouped,
  localTime,
  Num,
  Table,
  Tabs,
  timeOf,
  type Column,
} from '@bourse/ui';
import { useSignedIn } from '../../../core/session.js';
import { toastDone, toastError } from '../../../core/toasts.js';
import { useWallet } from '../../../core/wallet.js';
import { useSignInAddress } from '../../../parts/guest-prompt.js';
import { useKept } from '../../../prefs/use-kept.js';
import { hasScreen } from '../../../paths.js';
import { cancelAll, cancelOrder, useOrders, usePending } from '../api/orders.js';
import { filledPercent } from '../model/orders.js';

type Tab = 'open' | 'done' | 'balances';
interface Props {
  pair: QuotationItem;
  scales: (symbol: string) => { price_scale: number; number_scale: number } | undefined;
}

/** Open orders, history and balances under the chart. */
export function OrdersPanel({ pair, scales }: Props) {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const signInAddress = useSignInAddress();
  const [tab, setTab] = useState<Tab>('open');
  const [onlyPair, setOnlyPair] = useKept('orders.onlyPair', false);
  const [asking, setAsking] = useState(false);
  const open = useOrders('open', onlyPair ? pair : undefined);
  const placing = usePending((state) => state.placing);
  const openRows = useMemo(
    () => open.rows && [...placing.filter((order) => !onlyPair || order.symbol === pair.symbol), ...open.rows],
    [open.rows, placing, onlyPair, pair.symbol],
  );
  const count = openRows?.length ?? 0;
  const confirmAll = async (): Promise<void> => {
    setAsking(false);
    try {
      toastDone(t('orders.cancelledCount', { count: await cancelAll(onlyPair ? pair : undefined) }));
    } catch (error) {
      if (!(error instanceof ApiError)) toastError(t('ticket.noAnswer'));
    }
  };
  return (
    <Tabs<Tab>
      label={t('orders.title')}
      value={tab}
      onChange={setTab}
      panelClassName="flex min-h-0 flex-1 flex-col"
      tabs={[
        {
          id: 'open',
          label:
            signedIn && open.rows
              ? t('orders.openCount', { count: open.total + (openRows?.length ?? 0) - (open.rows?.length ?? 0) })
              : t('orders.open'),
        },
        { id: 'done', label: t('orders.history') },
        { id: 'balances', label: t('orders.balances') },
      ]}
      end={
        signedIn &&
        tab !== 'balances' && (
          <div className="flex shrink-0 items-center gap-2 pe-3">
            <Checkbox
              className="max-md:hidden"
              label={t('orders.onlyPair')}
              checked={onlyPair}
              onChange={(event) => setOnlyPair(event.target.checked)}
            />
            {tab === 'open' && (
              <Button size="small" disabled={count === 0} onClick={() => setAsking(true)}>
                {t('orders.cancelAll')}
              </Button>
            )}
          </div>
        )
      }
    >
      {!signedIn ? (
        <Empty
          action={
            hasScreen(signInAddress) && (
              <Link className="text-accent underline" to={signInAddress}>
                {t('nav.login')}
              </Link>
            )
          }
        >
          {t('orders.guest')}
        </Empty>
      ) : tab === 'open' ? (
        <OpenOrders rows={openRows} list={open} scales={scales} />
      ) : tab === 'done' ? (
        <DoneOrders only={onlyPair ? pair : undefined} scales={scales} />
      ) : (
        <Balances />
      )}
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('orders.cancelAll')}
        description={onlyPair ? t('orders.cancelAllPair', { pair: pair.symbol }) : t('orders.cancelAllText')}
        closeLabel={t('common.close')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t('orders.keep')}</Button>
            <Button kind="danger" data-autofocus="" onClick={() => void confirmAll()}>
              {t('orders.cancelAll')}
            </Button>
          </>
        }
      />
    </Tabs>
  );
}

const priceOf = (order: SpotOrder, t: (key: string) => string, scale: number): string =>
  order.order_type === 'market' || order.order_type === 'stop_market'
    ? t('ticket.best')
    : formatBookPrice(order.target_price, scale);

/** Columns both lists share. */
function useColumns(scales: Props['scales']): Column<SpotOrder>[] {
  const { t } = useTranslation();
  const scale = (order: SpotOrder) => scales(order.symbol) ?? { price_scale: 8, number_scale: 8 };
  return [
    {
      id: 'time',
      header: t('orders.time'),
      priority: 'wide',
      cell: (order) => {
        const at = timeOf(order.updated_at);
        return (
          <Num>
            <time title={`${order.updated_at} UTC`}>{at === undefined ? '–' : localTime(at)}</time>
          </Num>
        );
      },
    },
    {
      id: 'pair',
      header: t('orders.pair'),
      card: 'title',
      cell: (order) => <Num className="font-medium">{order.symbol}</Num>,
    },
    {
      id: 'side',
      card: 'title',
      header: t('orders.side'),
      cell: (order) => (
        <span className={order.type === 1 ? 'text-up' : 'text-down'}>
          {t(order.type === 1 ? 'ticket.buy' : 'ticket.sell')}
        </span>
      ),
    },
    { id: 'type', header: t('orders.type'), cell: (order) => t(`orders.kind.${order.order_type}`) },
    {
      id: 'price',
      header: t('orders.price'),
      end: true,
      cell: (order) => (
        <>
          <Num>{priceOf(order, t, scale(order).price_scale)}</Num>
          {order.order_type.startsWith('stop') && (
            <Num className="block text-label text-t2">
              {t('ticket.stopPrice')} {formatBookPrice(order.stop_price, scale(order).price_scale)}
            </Num>
          )}
        </>
      ),
    },
    {
      id: 'amount',
      header: t('orders.amount'),
      end: true,
      cell: (order) => <Num>{formatAmount(order.trade_amount, scale(order).number_scale)}</Num>,
    },
    {
      id: 'filled',
      header: t('orders.filled'),
      end: true,
      cell: (order) => (
        <Num>
          {formatAmount(order.filled_amount, scale(order).number_scale)} ({filledPercent(order)}%)
        </Num>
      ),
    },
  ];
}

function OpenOrders({
  rows,
  list,
  scales,
}: {
  rows: SpotOrder[] | undefined;
  list: ReturnType<typeof useOrders>;
  scales: Props['scales'];
}) {
  const { t } = useTranslation();
  const { placing, cancelling } = usePending();
  const isPlacing = (order: SpotOrder): boolean => placing.includes(order);
  const cancel = async (order: SpotOrder): Promise<void> => {
    try {
      await cancelOrder(order.id);
    } catch (error) {
      // The server's words are shown by the shell; the row comes back by itself.
      if (!(error instanceof ApiError)) toastError(t('ticket.noAnswer'));
    }
  };
  const columns: Column<SpotOrder>[] = [
    ...useColumns(scales),
    {
      id: 'action',
      header: <span className="sr-only">{t('orders.action')}</span>,
      end: true,
      sticky: true,
      cell: (order) =>
        isPlacing(order) ? (
          <span className="text-t2">{t('orders.placing')}</span>
        ) : (
          <Button
            size="small"
            busy={cancelling.has(order.id)}
            aria-label={t('orders.cancelOne', { pair: order.symbol })}
            onClick={() => void cancel(order)}
          >
            {cancelling.has(order.id) ? t('orders.cancelling') : t('orders.cancel')}
          </Button>
        ),
    },
  ];
  return (
    <OrderTable
      label={t('orders.open')}
      rows={rows}
      columns={columns}
      list={list}
      empty={t('orders.emptyOpen')}
      dim={(order) => isPlacing(order) || cancelling.has(order.id)}
    />
  );
}

function DoneOrders({ only, scales }: { only: QuotationItem | undefined; scales: Props['scales'] }) {
  const { t } = useTranslation();
  const list = useOrders('done', only);
  const columns: Column<SpotOrder>[] = [
    ...useColumns(scales),
    {
      id: 'mean',
      header: t('orders.mean'),
      end: true,
      cell: (order) => <Num>{formatBookPrice(order.trade_price, scales(order.symbol)?.price_scale ?? 8)}</Num>,
    },
    {
      id: 'fee',
      header: t('orders.fee'),
      end: true,
      cell: (order) => (
        <Num>
          {grouped(atMost(order.fee, 8))} {order.fee_currency}
        </Num>
      ),
    },
    {
      id: 'state',
      header: t('orders.state'),
      cell: (order) => t(order.cancelled === 1 ? 'orders.partlyCancelled' : 'orders.done'),
    },
  ];
  return (
    <OrderTable
      label={t('orders.history')}
      rows={list.rows}
      columns={columns}
      list={list}
      empty={t('orders.emptyHistory')}
    />
  );
}

function OrderTable({
  label,
  rows,
  columns,
  list,
  empty,
  dim,
}: {
  label: string;
  rows: SpotOrder[] | undefined;
  columns: readonly Column<SpotOrder>[];
  list: ReturnType<typeof useOrders>;
  empty: string;
  dim?: (order: SpotOrder) => boolean;
}) {
  const { t } = useTranslation();
  if (list.failed)
    return <Empty action={<Button onClick={list.retry}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>;
  return (
    <Table
      label={label}
      className="min-h-0 flex-1"
      rows={rows}
      columns={columns}
      rowKey={(order) => order.id}
      empty={empty}
      rowClassName={(order) => cx(dim?.(order) && 'opacity-60')}
      footer={
        rows !== undefined &&
        rows.length > 0 && (
          <div className="p-2 text-center text-table text-t2">
            {list.hasMore ? (
              <Button size="small" busy={list.loadingMore} onClick={list.loadMore}>
                {t('common.loadMore')}
              </Button>
            ) : rows.length > 8 ? (
              t('common.noMore')
            ) : null}
          </div>
        )
      }
    />
  );
}

function Balances() {
  const { t } = useTranslation();
  const { wallet, failed, retry } = useWallet();
  const [hideEmpty, setHideEmpty] = useState(false);
  const rows = wallet?.change_wallet.balance.filter(
    (coin) =>
      !hideEmpty ||
      compareDecimals(coin.change_balance, '0') !== 0 ||
      compareDecimals(coin.lock_change_balance, '0') !== 0,
  );
  const columns: Column<CoinBalance>[] = [
    { id: 'coin', header: t('balances.coin'), cell: (coin) => <Num>{coin.currency_name}</Num> },
    {
      id: 'available',
      header: t('balances.available'),
      end: true,
      cell: (coin) => <Num>{formatBalance(coin.change_balance)}</Num>,
    },
    {
      id: 'held',
      header: t('balances.held'),
      end: true,
      cell: (coin) => <Num>{formatBalance(coin.lock_change_balance)}</Num>,
    },
    {
      id: 'price',
      header: t('balances.usdtPrice'),
      end: true,
      cell: (coin) => <Num>{grouped(fixed(coin.usdt_price, 4))}</Num>,
    },
  ];
  if (failed)
    return <Empty action={<Button onClick={retry}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>;
  return (
    <>
      <div className="px-3 pt-2">
        <Checkbox
          label={t('balances.hideEmpty')}
          checked={hideEmpty}
          onChange={(event) => setHideEmpty(event.target.checked)}
        />
      </div>
      <Table
        label={t('orders.balances')}
        className="min-h-0 flex-1"
        rows={rows}
        columns={columns}
        rowKey={(coin) => String(coin.currency)}
        empty={t('balances.empty')}
      />
    </>
  );
}
