import type { TFunction } from 'i18next';
import { showToast } from '@bourse/web';
import { chime, isChimeOn } from '../../core/notifications/chime.js';
import type { PriceAlert } from '../../core/price-alerts.js';
import { onAskedAlert } from './asked-alert.js';

/** Alerts that this page has shown: the exchange may send them a moment later. */
const shown = new Set<string>();
let take: ((id: string) => void) | undefined;

// Asks early, so that the first alert finds the switch where it was left.
isChimeOn();

/** Shows alerts that are reached. */
export function toastAlerts(reached: readonly PriceAlert[], t: TFunction): void {
  for (const { id, symbol, price } of reached) {
    shown.add(id);
    const text = t('chart.alertReached', { pair: symbol, price: `\u2066${price}\u2069` });
    showToast({ id: `alert ${id}`, tone: 'info', text });
  }
  if (isChimeOn()) void chime();
}

/** Sets who takes an alert that the exchange has seen reached first; undefined while no chart watches any. */
export function setAlertTaker(taker: ((id: string) => void) | undefined): void {
  take = taker;
}

// It stays after the last alert and the last chart, for what this page has shown by then.
onAskedAlert('serviceWorker' in navigator ? navigator.serviceWorker : undefined, (id) => {
  if (!shown.has(id)) take?.(id);
  return shown.has(id);
});
