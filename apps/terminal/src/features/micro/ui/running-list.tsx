import { useTranslation } from 'react-i18next';
import type { MicroOrder } from '@bourse/contract';
import { atMost, cx, directionOf, formatTickPrice, grouped, NO_NUMBER, Num, Table, type Column } from '@bourse/ui';
import { ComplainLink } from '../../../parts/complain-link.js';
import { countdown } from '../../../parts/countdown.js';
import { netResult } from '../../../core/micro-result.js';
import { useServerClock } from '../../../parts/use-server-clock.js';
import { useRecordedPrices } from '../../../market/stream/recorded-prices.js';
import { usePriceScales } from './use-price-scales.js';
import { remaining, stageOf, wouldBeText } from '../model/orders.js';
import { Ring } from './ring.js';
import { signed } from './signed.js';
import { Way } from './way.js';

/** Running contracts, each with its countdown and what it would do at the price of now. */
export function RunningList({ rows }: { rows: readonly MicroOrder[] | undefined }) {
  const { t } = useTranslation();
  const now = useServerClock((rows?.length ?? 0) > 0);
  const scale = usePriceScales();
  const price = useRecordedPrices([...new Set((rows ?? []).map((order) => order.match_id))], () => now);
  const columns: Column<MicroOrder>[] = [
    {
      id: 'pair',
      header: t('orders.pair'),
      card: 'title',
      cell: (order) => <Num className="font-medium">{order.symbol_name}</Num>,
    },
    { id: 'way', header: t('micro.way'), card: 'title', cell: (order) => <Way type={order.type} /> },
    { id: 'left', header: t('micro.left'), cell: (order) => <Left order={order} now={now} /> },
    {
      id: 'stake',
      header: t('micro.stake'),
      end: true,
      cell: (order) => <Num>{`${grouped(atMost(order.number, 8))} ${order.currency_name}`}</Num>,
    },
    {
      id: 'open',
      header: t('micro.open'),
      end: true,
      cell: (order) => (
        <Num>{order.open_price === '' ? NO_NUMBER : formatTickPrice(order.open_price, scale(order.symbol_name))}</Num>
      ),
    },
    {
      id: 'now',
      header: t('micro.now'),
      end: true,
      cell: (order) => {
        const recorded = price(order.match_id);
        return <Num>{recorded === undefined ? NO_NUMBER : formatTickPrice(recorded, scale(order.symbol_name))}</Num>;
      },
    },
    {
      id: 'would',
      header: t('micro.would'),
      end: true,
      cell: (order) => <Would order={order} price={price(order.match_id) ?? ''} />,
    },
    {
      id: 'complain',
      header: <span className="sr-only">{t('complain.link')}</span>,
      end: true,
      cell: (order) => <ComplainLink kind="trade" about={order.id} />,
    },
  ];
  return (
    <>
      <Table
        label={t('micro.running')}
        className="min-h-0 flex-1"
        rows={rows}
        columns={columns}
        rowKey={({ id }) => id}
        empty={t('micro.emptyRunning')}
        rowClassName={({ status }) => (status === 3 ? 'opacity-60' : undefined)}
      />
      <p className="sr-only" aria-live="polite">
        {announced(rows ?? [], now)
          .map(({ symbol_name: pair, left }) => t('micro.announce', { pair, left: countdown(left) }))
          .join(' ')}
      </p>
    </>
  );
}

/** Contracts that reach ten minutes, one minute or ten seconds now: these are said aloud, not each second. */
const announced = (rows: readonly MicroOrder[], now: number): { symbol_name: string; left: number }[] =>
  rows
    .filter((order) => stageOf(order, now) === 'running')
    .map((order) => ({ symbol_name: order.symbol_name, left: remaining(order, now) }))
    .filter(({ left }) => [600, 60, 10].includes(Math.ceil(left / 1_000)));

/** Ring and digits; before the opening tick and after the expiry words. */
function Left({ order, now }: { order: MicroOrder; now: number }) {
  const { t } = useTranslation();
  const stage = stageOf(order, now);
  const left = remaining(order, now);
  if (stage === 'closed') return <>{t(`micro.result.${order.result}`)}</>;
  return (
    <span className="inline-flex items-center gap-2 align-middle">
      <Ring part={stage === 'opening' ? 1 : left / (order.seconds * 1_000)} />
      {stage === 'running' ? <Num>{countdown(left)}</Num> : t(stage === 'opening' ? 'micro.opening' : 'micro.settling')}
    </span>
  );
}

/** The profit at the newest recorded price; for a closed contract, its result. */
function Would({ order, price }: { order: MicroOrder; price: string }) {
  const { t } = useTranslation();
  const value = order.status === 3 ? netResult(order) : wouldBeText(order, price);
  if (value === '') return <>{NO_NUMBER}</>;
  const direction = directionOf(value);
  const words =
    order.status === 3
      ? t(`micro.result.${order.result}`)
      : t(direction > 0 ? 'micro.wouldWin' : direction < 0 ? 'micro.wouldLose' : 'micro.wouldTie');
  return (
    <span className={cx(direction > 0 && 'text-up', direction < 0 && 'text-down')}>
      {words} <Num>{`${signed(value)} ${order.currency_name}`}</Num>
    </span>
  );
}
