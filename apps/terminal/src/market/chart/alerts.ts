import { compareDecimals } from '@bourse/money';

/** A price at which a person wants to be told, once. */
export interface PriceAlert {
  readonly id: string;
  readonly symbol: string;
  /** Decimal text. */
  readonly price: string;
  /** The price was below it when the alert was set: it is reached from below. */
  readonly above: boolean;
}

/** What was kept, repaired: an older or foreign value must not break the page. */
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

/** An alert at a price, to be reached from where the last price is. */
export const newAlert = (id: string, symbol: string, price: string, lastPrice: string): PriceAlert => ({
  id,
  symbol,
  price,
  above: lastPrice === '' || compareDecimals(price, lastPrice) > 0,
});
