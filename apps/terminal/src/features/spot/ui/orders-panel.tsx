import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { ApiError } from '@bourse/api-client';
import type { QuotationItem } from '@bourse/contract';
import { Button, Checkbox, Dialog, Empty, Skeleton, Tabs } from '@bourse/ui';
import { useSignedIn } from '../../../core/session.js';
import { lazyScreen, toastDone, toastError } from '@bourse/web';
import { useSignInAddress } from '../../../parts/guest-prompt.js';
import { useKept } from '../../../prefs/use-kept.js';
import { hasScreen } from '../../../paths.js';
import { cancelAll, useOrders, usePending } from '../api/orders.js';

const OpenOrders = lazyScreen(async () => ({ default: (await import('./order-tables.js')).OpenOrders }));
const DoneOrders = lazyScreen(async () => ({ default: (await import('./order-tables.js')).DoneOrders }));
const Balances = lazyScreen(async () => ({ default: (await import('./spot-balances.js')).Balances }));

type Tab = 'open' | 'done' | 'balances';
export interface Props {
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
          <div className="flex shrink-0 items-center gap-2 px-3 py-1">
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
      ) : (
        <Suspense fallback={<Skeleton className="m-4 h-24" />}>
          {tab === 'open' ? (
            <OpenOrders rows={openRows} list={open} scales={scales} />
          ) : tab === 'done' ? (
            <DoneOrders only={onlyPair ? pair : undefined} scales={scales} />
          ) : (
            <Balances />
          )}
        </Suspense>
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
            <Button kind="danger" onClick={() => void confirmAll()}>
              {t('orders.cancelAll')}
            </Button>
          </>
        }
      />
    </Tabs>
  );
}
