import { compareDecimals } from '@bourse/money';

/** Name of the preference that stores the price alerts of this browser. */
export const PRICE_ALERTS = 'price.alerts';

/** A price alert: it sounds once, when the last price reaches its price. */
export interface PriceAlert {
  readonly id: string;
  readonly symbol: string;
  /** Decimal text. */
  readonly price: string;
  /** Whether the alert price was above the last price when it was set: the last price then reaches it from below. */
  readonly above: boolean;
  /** The market page of the pair. Absent in alerts of an earlier release. */
  readonly link?: string;
}

/** Reads stored alerts and drops invalid ones: an older or foreign value must not break the page. */
export function readAlerts(kept: unknown): readonly PriceAlert[] {
  if (!Array.isArray(kept)) return [];
  return kept.filter(
    (one: Partial<PriceAlert> | null): one is PriceAlert =>
      typeof one?.id === 'string' &&
      typeof one.symbol === 'string' &&
      typeof one.price === 'string' &&
      /^\d+(\.\d+)?$/.test(one.price) &&
      typeof one.above === 'boolean',
  );
}

/** Whether the last price reached an alert. */
export const isReached = ({ price, above }: PriceAlert, lastPrice: string): boolean =>
  lastPrice !== '' && compareDecimals(lastPrice, price) * (above ? 1 : -1) >= 0;

/** A new alert at a price; the last price decides from which side it is reached. */
export const newAlert = (alert: Omit<PriceAlert, 'above'>, lastPrice: string): PriceAlert => ({
  ...alert,
  above: lastPrice === '' || compareDecimals(alert.price, lastPrice) > 0,
});
