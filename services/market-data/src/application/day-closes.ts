import { Injectable } from '@nestjs/common';
import { PEGGED_CURRENCIES, type CurrencyRow } from '@bourse/contract';
import type { DayCloses } from '@bourse/messaging';
import { formatTrimmed } from '@bourse/money';
import { SCALE } from '../domain/candle.js';
import { Candles } from './candles.js';
import { Catalog } from './catalog.js';

const DAY_MS = 86_400_000;

/** The worth of one unit of each currency in USDT at the end of each day, by the candles of its pair. */
@Injectable()
export class DailyCloses {
  constructor(
    private readonly catalog: Catalog,
    private readonly candles: Candles,
  ) {}

  /** From one day to another, both inclusive, by the ms at which they begin (UTC). */
  async between(from: number, to: number): Promise<DayCloses> {
    const days = Array.from(
      { length: Math.max(0, Math.floor((to - from) / DAY_MS) + 1) },
      (_, at) => from + at * DAY_MS,
    );
    const closes = await Promise.all(
      this.catalog.currencies.map(
        async (currency) => [String(currency.id), await this.ofCurrency(currency, days)] as const,
      ),
    );
    return Object.fromEntries(closes);
  }

  private async ofCurrency(currency: CurrencyRow, days: readonly number[]): Promise<string[]> {
    if (PEGGED_CURRENCIES.includes(currency.name)) return days.map(() => '1');
    const pair = this.catalog.bySymbol(`${currency.name}/USDT`);
    const [first, last] = [days[0], days.at(-1)];
    if (!pair || first === undefined || last === undefined) return days.map(() => '');
    const bars = await this.candles.range(pair, '1day', first, last);
    const byDay = new Map(bars.map(({ time, close }) => [time, formatTrimmed(close, SCALE)]));
    return days.map((day) => byDay.get(day) ?? '');
  }
}
