import { Injectable, Logger } from '@nestjs/common';
import type { EquityHistory } from '@bourse/contract';
import { isInternalCurrency } from '@bourse/events';
import { Asks, leverRiskAsks, marketDataAsks, type DayCloses } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import { Clock, HistoryGate, Refused } from '@bourse/platform';
import { Currencies } from '../../../ledger/application/currencies.js';
import { LedgerReader } from '../../../ledger/application/ports.js';
import { equityDays, type OpenPair } from '../domain/equity.js';
import { PRICE_SCALE, Prices } from '../../shared/application/prices.js';

/** The longest curve, days. */
export const EQUITY_DAYS_MAX = 365;
const DAY_MS = 86_400_000;
/** Scale on which amounts of all currencies are added: no currency has more decimals. */
const AMOUNT_SCALE = 18;
const VALUE_SCALE = 8;
/**
 * One question brings the closes of all curves. They change when another day ends, and are asked for again after this,
 * real time, ms.
 */
const CLOSES_MS = 600_000;
const ASK_TIMEOUT_MS = 5_000;

/** Worth and profit of a person's accounts by day (decision 0236). */
@Injectable()
export class EquityHistories {
  private readonly logger = new Logger('EquityHistories');
  private readonly gate = new HistoryGate();
  private closes: { readonly to: number; readonly at: number; readonly answer: Promise<DayCloses> } | undefined;

  constructor(
    private readonly reader: LedgerReader,
    private readonly currencies: Currencies,
    private readonly prices: Prices,
    private readonly asks: Asks,
    private readonly clock: Clock,
  ) {}

  async of(userId: number, count: number): Promise<EquityHistory> {
    const today = Math.floor(this.clock.now() / DAY_MS) * DAY_MS;
    // One day more: the first shown day is compared with it.
    const days = Array.from({ length: count + 1 }, (_, index) => today - (count - index) * DAY_MS);
    const first = days[0]!;
    const [closes, [balances, moves, open]] = await Promise.all([
      this.closesUntil(today - DAY_MS),
      // Together, so that a position which closes meanwhile is hardly ever counted twice or not at all.
      this.gate.run(() =>
        Promise.all([this.reader.balances(userId), this.reader.dayMoves(userId, first), this.openPairs(userId, days)]),
      ),
    ]);
    const units = (text: string): bigint => toUnits(text, AMOUNT_SCALE);
    const coins = new Map<number, bigint>();
    for (const { currency, available, held } of balances)
      if (!isInternalCurrency(currency) && this.currencies.byId(currency))
        coins.set(currency, (coins.get(currency) ?? 0n) + units(available) + units(held));
    const priceOf = (currency: number, at: number): bigint =>
      at === count
        ? this.prices.usdt(currency)
        : toUnits(closes[String(currency)]?.[EQUITY_DAYS_MAX - count + at] || '0', PRICE_SCALE);
    const series = equityDays(
      days,
      coins,
      moves
        .filter(({ currency }) => !isInternalCurrency(currency))
        .map(({ amount, ...move }) => ({ ...move, units: units(amount) })),
      open,
      priceOf,
      { amounts: AMOUNT_SCALE, prices: PRICE_SCALE, values: VALUE_SCALE },
    );
    const text = (value: bigint): string => formatUnits(value, VALUE_SCALE);
    return {
      days: series.map(({ day, equity, deposits, profit }) => ({
        day: new Date(day).toISOString().slice(0, 10),
        equity: text(equity),
        deposits: text(deposits),
        profit: text(profit),
      })),
    };
  }

  /** @throws Refused `common.unavailable` while lever-risk does not answer */
  private async openPairs(userId: number, days: readonly number[]): Promise<readonly OpenPair[]> {
    const ends = days.map((day) => day + DAY_MS);
    const exposures = await this.answered(
      this.asks.ask(leverRiskAsks.exposures, { userId, ends }, ASK_TIMEOUT_MS),
      'open positions',
    );
    const units = (texts: readonly string[]): bigint[] => texts.map((text) => toUnits(text, AMOUNT_SCALE));
    return exposures.map(({ numbers, costs, ...pair }) => ({ ...pair, numbers: units(numbers), costs: units(costs) }));
  }

  /** @throws Refused `common.unavailable` while market-data does not answer */
  private async closesUntil(to: number): Promise<DayCloses> {
    const now = this.clock.real();
    if (this.closes?.to !== to || now - this.closes.at >= CLOSES_MS) {
      const from = to - (EQUITY_DAYS_MAX - 1) * DAY_MS;
      this.closes = { to, at: now, answer: this.asks.ask(marketDataAsks.dayCloses, { from, to }, ASK_TIMEOUT_MS) };
    }
    const { closes } = this;
    return this.answered(closes.answer, 'closes of days', () => {
      if (this.closes === closes) this.closes = undefined;
    });
  }

  private async answered<T>(answer: Promise<T>, what: string, forget?: () => void): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      forget?.();
      this.logger.warn(`no ${what}: ${(error as Error).message}`);
      throw new Refused('common.unavailable', {}, { retryAfterSeconds: 1 });
    }
  }
}
