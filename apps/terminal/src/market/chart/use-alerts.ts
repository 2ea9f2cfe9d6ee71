import { useCallback, useEffect, useEffectEvent, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { newIntent } from '@bourse/api-client';
import type { QuotationItem } from '@bourse/contract';
import { formatBookPrice } from '@bourse/ui';
import { tickers } from '../../core/feed.js';
import { isReached, newAlert, PRICE_ALERTS, readAlerts, type PriceAlert } from '../../core/price-alerts.js';
import { withPush } from '../../core/with-push.js';
import { spotAddress } from '../../paths.js';
import { useKept } from '../../prefs/use-kept.js';
import type * as Toasts from './alert-toasts.js';
import type { ChartLine } from './marks.js';

const WATCH_MS = 250;
/** Loaded once there is an alert. */
const loadToasts = () => import('./alert-toasts.js');

/** The price alerts of all pairs: those of this one as lines, all of them watched while the page is open. */
export function useAlerts(pair: Pick<QuotationItem, 'symbol' | 'price_scale' | 'legal_id' | 'currency_id'>): {
  readonly lines: readonly ChartLine[];
  readonly add: (price: string) => void;
} {
  const { t } = useTranslation();
  const [kept, set] = useKept<unknown>(PRICE_ALERTS, undefined);
  const keep = useCallback(
    (next: readonly PriceAlert[]): void => {
      set(next);
      void withPush(({ syncAlerts }) => syncAlerts(next));
    },
    [set],
  );
  const alerts = useMemo(() => readAlerts(kept), [kept]);
  const { symbol, price_scale } = pair;
  const link = spotAddress(pair);
  const remove = (reached: readonly PriceAlert[]): void => keep(alerts.filter((alert) => !reached.includes(alert)));
  const announceReached = useEffectEvent(() => {
    const reached = alerts.filter((alert) => isReached(alert, tickers.get(alert.symbol)?.price ?? ''));
    if (reached.length === 0) return;
    remove(reached);
    void loadToasts().then(({ toastAlerts }) => toastAlerts(reached, t));
  });
  const announceAsked = useEffectEvent((id: string, show: typeof Toasts.toastAlerts) => {
    const asked = alerts.filter((alert) => alert.id === id);
    if (asked.length === 0) return;
    remove(asked);
    show(asked, t);
  });
  const watching = alerts.length > 0;
  useEffect(() => {
    if (!watching) return undefined;
    const timer = setInterval(announceReached, WATCH_MS);
    const follow = (isOn: boolean): void =>
      void loadToasts().then(({ setAlertTaker, toastAlerts }) =>
        setAlertTaker(isOn ? (id) => announceAsked(id, toastAlerts) : undefined),
      );
    follow(true);
    return () => {
      clearInterval(timer);
      follow(false);
    };
  }, [watching]);
  const lines = useMemo(
    () =>
      alerts
        .filter((alert) => alert.symbol === symbol)
        .map((alert): ChartLine => {
          const shown = formatBookPrice(alert.price, price_scale);
          const others = (): readonly PriceAlert[] => alerts.filter(({ id }) => id !== alert.id);
          return {
            id: alert.id,
            price: alert.price,
            text: shown,
            side: 'alert',
            stroke: 'dotted',
            cancel: { label: `${t('chart.alertRemove')}: ${shown}`, run: () => keep(others()) },
            drag: {
              label: `${t('chart.tool.alert')}: ${shown}`,
              preview: (price) => formatBookPrice(price, price_scale),
              drop: (price) =>
                keep([...others(), newAlert({ id: alert.id, symbol, price, link }, tickers.get(symbol)?.price ?? '')]),
            },
          };
        }),
    [alerts, symbol, price_scale, link, keep, t],
  );
  const add = (price: string): void =>
    keep([...alerts, newAlert({ id: newIntent(), symbol, price, link }, tickers.get(symbol)?.price ?? '')]);
  return { lines, add };
}
