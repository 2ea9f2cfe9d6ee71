import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { PricesView } from '@bourse/events';
import { Views } from '@bourse/messaging';
import { pow10, rescale, toUnits } from '@bourse/money';

/** Scale of prices and of values made with them. */
export const PRICE_SCALE = 8;

/** What a currency is worth in USDT, as market-data publishes it. For display, and for the limits of withdrawals: no money is exchanged by it. */
@Injectable()
export class Prices implements OnModuleDestroy {
  private latest: PricesView | null = null;
  private readonly unsubscribe: () => void;

  constructor(views: Views) {
    this.unsubscribe = views.subscribe('prices', (view: PricesView) => {
      this.latest = view;
    });
  }

  /** At PRICE_SCALE; 0 when unknown. */
  usdt(currency: number): bigint {
    const text = this.latest?.usdt[String(currency)];
    return text === undefined ? 0n : rescale(toUnits(text, 18), 18, PRICE_SCALE, 'down');
  }

  /** CNY per USDT as decimal text; `0` when unknown. */
  cnyPerUsdt(): string {
    return this.latest?.cnyPerUsdt ?? '0';
  }

  /** Exact value of an amount, at `scale` + PRICE_SCALE. */
  value(units: bigint, currency: number): bigint {
    return units * this.usdt(currency);
  }

  onModuleDestroy(): void {
    this.unsubscribe();
  }
}

/** Adds values of amounts of different scales exactly; down at the end only. */
export class ValueSum {
  private static readonly SCALE = 40;
  private sum = 0n;
  add(value: bigint, scale: number): void {
    this.sum += value * pow10(ValueSum.SCALE - scale);
  }
  at(scale: number): bigint {
    return rescale(this.sum, ValueSum.SCALE, scale, 'down');
  }
}
