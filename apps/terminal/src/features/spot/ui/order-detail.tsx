import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { SpotFill, SpotOrder, WalletLog } from '@bourse/contract';
import {
  atMost,
  Button,
  DescriptionList,
  Dialog,
  formatAmount,
  formatBookPrice,
  grouped,
  Num,
  Skeleton,
  Table,
  type Fact,
} from '@bourse/ui';
import type { PairScales } from '../../../market/pair/scales.js';
import { ComplainLink } from '../../../parts/complain-link.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { Failed } from '../../../parts/failed.js';
import { SignedAmount } from '../../../parts/signed-amount.js';
import { Time } from '../../../parts/time.js';
import { usePending } from '../api/orders.js';
import { useOrder, useOrderRecord } from '../api/order-detail.js';
import { stateOf, type OrderState } from '../model/order-detail.js';
import { filledPercent, isGiven, remaining } from '../model/orders.js';
import { useFillColumns } from './fill-columns.js';
import { priceOf } from './order-columns.js';
import { ExitPrices, OrderKindCell, StopPrice } from './order-links.js';
import { SideCell } from './side-cell.js';

const STATE_TEXT = {
  waiting: 'orders.states.waiting',
  open: 'orders.states.open',
  partlyFilled: 'orders.states.partlyFilled',
  filled: 'orders.done',
  partlyCancelled: 'orders.partlyCancelled',
  cancelled: 'orders.states.cancelled',
} as const satisfies Record<OrderState, string>;

/** The order whose details are asked for: as a list has it, or only its id, where a fill names it. */
export interface OpenedOrder {
  readonly id: string;
  readonly known?: SpotOrder;
}

/** Details of an order beside the desk: its state, prices and amounts, its fills, and its statement entries. */
export function OrderDetail({
  opened: { id, known },
  scales,
  onCancel,
  onClose,
}: {
  opened: OpenedOrder;
  scales: PairScales;
  onCancel: (order: SpotOrder) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { order, failed } = useOrder(id, known);
  const cancelling = usePending((pending) => pending.cancelling.has(id));
  return (
    <Dialog
      open
      shape="drawer"
      onClose={onClose}
      title={t('orders.detail')}
      closeLabel={t('common.close')}
      actions={
        order?.status === 1 && (
          <Button kind="danger" busy={cancelling} onClick={() => onCancel(order)}>
            {t(cancelling ? 'orders.cancelling' : 'orders.cancelTitle')}
          </Button>
        )
      }
    >
      {order ? (
        <>
          <OrderFacts order={order} scales={scales} />
          <History order={order} scales={scales} />
          <ComplainLink kind="trade" about={id} />
        </>
      ) : failed ? (
        <p className="text-t2">{t('common.loadFailed')}</p>
      ) : (
        <Skeleton className="h-72 w-full" />
      )}
    </Dialog>
  );
}

function OrderFacts({ order, scales }: { order: SpotOrder; scales: PairScales }) {
  const { t } = useTranslation();
  const { price_scale: priceScale, number_scale: numberScale } = scales(order.symbol) ?? {
    price_scale: 8,
    number_scale: 8,
  };
  const price = (text: string): string => formatBookPrice(text, priceScale);
  const amount = (text: string) => (
    <Num>
      {formatAmount(text, numberScale)} {order.currency_name}
    </Num>
  );
  const fact = (name: string, value: React.ReactNode): Fact => ({ id: name, name: t(name), value });
  return (
    <DescriptionList
      facts={[
        fact('orders.pair', <Num className="font-medium">{order.symbol}</Num>),
        fact('orders.side', <SideCell type={order.type} />),
        fact('orders.type', <OrderKindCell order={order} />),
        fact('orders.state', t(STATE_TEXT[stateOf(order)])),
        fact(
          'orders.price',
          <span className="inline-flex flex-col items-end">
            <Num>{priceOf(order, t, priceScale)}</Num>
            <StopPrice order={order} shown={price} />
            <ExitPrices order={order} shown={price} />
          </span>,
        ),
        fact('ticket.timeInForce', <Conditions order={order} />),
        fact('orders.amount', amount(order.trade_amount)),
        fact(
          'orders.filled',
          <>
            {amount(order.filled_amount)} <Num className="text-t2">({filledPercent(order)}%)</Num>
          </>,
        ),
        fact('entrust.left', amount(remaining(order))),
        fact('orders.mean', <Num>{isGiven(order.trade_price) ? price(order.trade_price) : '–'}</Num>),
        fact(
          'orders.fee',
          <Num>{isGiven(order.fee) ? `${grouped(atMost(order.fee, 8))} ${order.fee_currency}` : '–'}</Num>,
        ),
        fact('orders.placed', <Time>{order.created_at}</Time>),
        fact('orders.changed', <Time>{order.updated_at}</Time>),
        fact(
          'orders.id',
          <span className="inline-flex items-center gap-1">
            <Num>{order.id}</Num>
            <CopyButton text={order.id} what={t('orders.id')} />
          </span>,
        ),
      ]}
    />
  );
}

/** Time in force, and whether the order rests only. */
function Conditions({ order: { time_in_force: tif, post_only: postOnly } }: { order: SpotOrder }) {
  const { t } = useTranslation();
  return (
    <>
      <Num>{tif}</Num>
      {postOnly === 1 && ` · ${t('ticket.postOnly')}`}
    </>
  );
}

function History({ order, scales }: { order: SpotOrder; scales: PairScales }) {
  const { t } = useTranslation();
  const { data, isError, refetch } = useOrderRecord(order);
  if (isError && !data) return <Failed retry={() => void refetch()} />;
  return (
    <>
      <Part title={t('orders.fills')}>
        <Fills fills={data?.fills} scales={scales} />
      </Part>
      <Part title={t('orders.entries')}>
        <Entries entries={data?.entries} />
        <Link to="/finanrec" className="mt-2 inline-block text-table text-t2 underline hover:text-t1">
          {t('orders.toStatement')}
        </Link>
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-body font-medium">{title}</h3>
      {children}
    </section>
  );
}

function Fills({ fills, scales }: { fills: readonly SpotFill[] | undefined; scales: PairScales }) {
  const { t } = useTranslation();
  const columns = useFillColumns(scales).filter(({ id }) => id !== 'side');
  return (
    <Table
      label={t('orders.fills')}
      rows={fills}
      rowKey={({ id }) => id}
      empty={t('orders.noFills')}
      columns={[
        {
          id: 'time',
          header: t('orders.time'),
          card: 'title',
          cell: ({ create_time: time }) => <Time>{time}</Time>,
        },
        ...columns,
      ]}
    />
  );
}

function Entries({ entries }: { entries: readonly WalletLog[] | undefined }) {
  const { t } = useTranslation();
  return (
    <Table
      label={t('orders.entries')}
      rows={entries}
      rowKey={({ id }) => id}
      empty={t('orders.noEntries')}
      cards={false}
      columns={[
        {
          id: 'info',
          header: t('orders.entry'),
          wraps: true,
          cell: (entry) => (
            <>
              {entry.info}
              <span className="block text-label text-t2">
                <Time>{entry.created_time}</Time> · {t(entry.state === 'held' ? 'balances.held' : 'balances.available')}
              </span>
            </>
          ),
        },
        {
          id: 'value',
          header: t('orders.amount'),
          end: true,
          cell: ({ value, currency_name: coin }) => <SignedAmount amount={value} coin={coin} />,
        },
      ]}
    />
  );
}
