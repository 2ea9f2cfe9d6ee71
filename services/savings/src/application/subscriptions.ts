import { Injectable } from '@nestjs/common';
import type { CurrencyRow } from '@bourse/contract';
import { percent, savingsProfit } from '@bourse/formulas';
import { Commands, isHouseShort, Sagas, type Saga } from '@bourse/ledger-client';
import { FundGate, Reference } from '@bourse/messaging';
import { formatTrimmed, rescale, toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext, type WrittenAmount, Ids } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { isWithinShare, type Agreement } from '../domain/subscription.js';
import { shownSubscription } from './answers.js';
import { MONEY_SCALE } from './catalog-rows.js';
import { subscribeOrder } from './journals.js';
import { Maturities } from './maturities.js';
import { Days, DepositConfigs, HouseInterest, SubscriptionStore } from './savings-ports.js';
import { DEPOSIT_CANCEL, DEPOSIT_PERSON_SHARE } from './savings-settings.js';

/** The fields of a subscription request. */
export interface Subscribing {
  readonly amount: WrittenAmount;
  readonly password?: string | undefined;
  readonly configId: number;
  readonly currencyId: number;
}

/** Takes subscriptions (rules §9). */
@Injectable()
export class Subscriptions {
  private readonly subscribing: Saga<null>;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly store: SubscriptionStore,
    private readonly configs: DepositConfigs,
    private readonly interest: HouseInterest,
    private readonly maturities: Maturities,
    private readonly reference: Reference,
    private readonly fund: FundGate,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly days: Days,
    private readonly ids: Ids,
  ) {
    this.subscribing = sagas.define<null>({
      name: 'savings.subscribe',
      onAllPosted: async (tx, outcomes) => {
        const { ms } = this.days;
        const taken = await this.store.accept(tx, outcomes, ms);
        await this.maturities.watch(tx, taken);
        const now = this.clock.now();
        return taken.map((one) => new Notice('save.subscribed', { order: shownSubscription(one, now, ms) }));
      },
      onRefused: async (tx, { object }, refusal) => {
        await this.store.drop(tx, object);
        return isHouseShort(refusal) ? new Refused('save.houseLimit') : refusal;
      },
    });
  }

  /** @throws Refused in the order of rules §12.10, and as the ledger says. */
  subscribe(userId: number, fields: Subscribing, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => {
        // Zero, a sign or a word are refused before the password is checked; too many decimals once the coin is known.
        fields.amount.units(MONEY_SCALE);
        await this.fund.demand(userId, fields.password);
        const agreement = await this.agreed(userId, fields);
        return { agreement, house: toUnits(await this.interest.of(agreement.currencyId), agreement.scale) };
      },
      decide: async (tx, { agreement, house }) => {
        await this.checkShare(tx, agreement, house);
        await this.store.insert(tx, agreement);
        return this.subscribing.ask({ object: agreement.id, note: null, command: subscribeOrder(agreement) });
      },
    });
  }

  /** @throws Refused `save.houseLimit` when the terms of this person would reserve more than one person's share. */
  private async checkShare(tx: Tx, agreement: Agreement, house: bigint): Promise<void> {
    const own = await this.store.lockReserved(tx, agreement);
    if (!isWithinShare(house, own, agreement.profit, this.settings.get(DEPOSIT_PERSON_SHARE)))
      throw new Refused('save.houseLimit');
  }

  /** Copies the terms into the agreement: a change of the terms applies to later subscriptions only. */
  private async agreed(userId: number, { amount: written, configId, currencyId }: Subscribing): Promise<Agreement> {
    const config = (await this.configs.all()).find(({ id }) => id === configId);
    if (!config?.isOpen) throw new Refused('save.config', {}, { field: 'config_id' });
    const currency = this.reference.get<CurrencyRow>('currency', String(currencyId));
    if (!currency || config.currencyId !== currencyId) throw new Refused('save.config', {}, { field: 'currency_id' });
    const { scale } = currency;
    const amount = written.units(scale);
    const min = rescale(toUnits(config.saveMin, MONEY_SCALE), MONEY_SCALE, scale, 'up');
    if (amount < min) throw new Refused('save.min', { min: formatTrimmed(min, scale) }, { field: 'amount' });
    const rate = percent(config.interestRate);
    return {
      id: this.ids.next(),
      userId,
      currencyId,
      currencyName: currency.name,
      scale,
      amount,
      day: config.day,
      rate,
      cancelRate: this.settings.get(DEPOSIT_CANCEL),
      profit: savingsProfit(amount, rate),
    };
  }
}
