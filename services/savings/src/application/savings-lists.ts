import { Injectable } from '@nestjs/common';
import {
  toDataPage,
  type CurrencyRow,
  type DataPage,
  type SavingsConfig,
  type SavingsCurrency,
  type SavingsOrder,
  type Rows,
} from '@bourse/contract';
import { percent } from '@bourse/formulas';
import { Reference } from '@bourse/messaging';
import { divide, formatUnits, toUnits } from '@bourse/money';
import { Clock, type Page } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import type { Accepted } from '../domain/subscription.js';
import { shownConfig, shownRate, shownSubscription } from './answers.js';
import { FreeBalances } from './free-balances.js';
import {
  Days,
  DepositConfigs,
  SubscriptionStore,
  type DepositConfig,
  type SubscriptionFilter,
} from './savings-ports.js';
import { DEPOSIT_CANCEL } from './savings-settings.js';

/** The lists of terms and subscriptions that people read (api §2.8). */
@Injectable()
export class SavingsLists {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly configs: DepositConfigs,
    private readonly balances: FreeBalances,
    private readonly reference: Reference,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly days: Days,
  ) {}

  /** Coins with a term on offer, by id; `userId` undefined: a guest, whose balance is 0. */
  async currencies(userId: number | undefined): Promise<SavingsCurrency[]> {
    const [offered, free] = await Promise.all([
      this.offered(),
      userId === undefined ? new Map<number, string>() : this.balances.of(userId),
    ]);
    return [...new Set(offered.map(({ config }) => config.currencyId))]
      .sort((a, b) => a - b)
      .map((id) => {
        const own = offered.filter(({ config }) => config.currencyId === id);
        const { name, scale } = own[0]!.currency;
        const rates = own.map(({ config }) => percent(config.interestRate));
        const daily = own.map(({ config }) => divide(percent(config.interestRate), BigInt(config.day), 'down'));
        return {
          id,
          name,
          balance: formatUnits(toUnits(free.get(id) ?? '0', scale), scale),
          min_day_rate: shownRate(daily.reduce((least, rate) => (rate < least ? rate : least))),
          max_rate: shownRate(rates.reduce((most, rate) => (rate > most ? rate : most))),
        };
      });
  }

  /** Terms on offer in a coin, the shortest first. */
  async terms(currencyId: number): Promise<SavingsConfig[]> {
    const cancelRate = this.settings.get(DEPOSIT_CANCEL);
    return (await this.offered())
      .filter(({ config }) => config.currencyId === currencyId)
      .map(({ config, currency }) => shownConfig(config, currency.scale, cancelRate));
  }

  private async offered(): Promise<{ readonly config: DepositConfig; readonly currency: CurrencyRow }[]> {
    return (await this.configs.all()).flatMap((config) => {
      const currency = this.reference.get<CurrencyRow>('currency', String(config.currencyId));
      return config.isOpen && currency ? [{ config, currency }] : [];
    });
  }

  async list(filter: SubscriptionFilter, page: Page): Promise<DataPage<SavingsOrder>> {
    return this.page(await this.store.list(filter, page), page, () => ({}));
  }

  /** As `list`, with the person's id: for operators. */
  async listAll(filter: SubscriptionFilter, page: Page): Promise<DataPage<SavingsOrder & { user_id: number }>> {
    return this.page(await this.store.list(filter, page), page, ({ userId }) => ({ user_id: userId }));
  }

  private page<More extends object>(
    { rows, total }: Rows<Accepted>,
    page: Page,
    more: (row: Accepted) => More,
  ): DataPage<SavingsOrder & More> {
    const now = this.clock.now();
    return toDataPage({ rows, total }, page, (row) => ({ ...shownSubscription(row, now, this.days.ms), ...more(row) }));
  }
}
