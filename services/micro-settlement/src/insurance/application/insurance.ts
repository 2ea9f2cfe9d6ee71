import { Injectable } from '@nestjs/common';
import type { CurrencyRow } from '@bourse/contract';
import { percent, premiumOf } from '@bourse/formulas';
import { Commands, Sagas, type Moves, type Saga } from '@bourse/ledger-client';
import { FundGate, Reference } from '@bourse/messaging';
import { parseAmount, toUnits } from '@bourse/money';
import { Clock, Notice, refuse, Refused, type CallContext, Ids } from '@bourse/platform';
import type { Policy } from '../domain/policy.js';
import { Policies, quotaOf } from './policies.js';
import { shownPolicy } from './answers.js';
import { buyOrder, vaultOrder } from './journals.js';
import { PolicyStore, InsuranceTypes, type InsuranceTypeRow } from './ports.js';

/** Coins of a policy have at most 12 digits. */
const COINS_MAX = 10n ** 12n;

/** Buys and cancels policies (rules §5). */
@Injectable()
export class Insurance {
  private readonly buying: Saga<null>;
  private readonly cancelling: Moves;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly store: PolicyStore,
    private readonly policies: Policies,
    private readonly types: InsuranceTypes,
    private readonly reference: Reference,
    private readonly fund: FundGate,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.buying = sagas.define<null>({
      name: 'insurance.buy',
      onPosted: async (tx, { object }) =>
        new Notice('insurance.bought', { insurance: shownPolicy(await this.store.activate(tx, object)) }),
      onRefused: async (tx, { object }, refusal) => {
        const policy = await this.store.drop(tx, object);
        await this.store.giveQuota(tx, policy.typeId, quotaOf(policy));
        return refusal;
      },
    });
    this.cancelling = sagas.defineMove({ name: 'insurance.cancel' });
  }

  /** @throws Refused in the order of rules §12.7, and as the ledger says. */
  buy(
    userId: number,
    fields: { readonly typeId: number; readonly amount?: string | undefined; readonly password?: string | undefined },
    context: CallContext,
  ): Promise<Notice> {
    const { typeId, amount, password } = fields;
    return this.commands.run(context, {
      prepare: async () => {
        const coins = wholeCoins(amount);
        await this.fund.demand(userId, password);
        const type = (await this.types.all()).find(({ id }) => id === typeId);
        if (!type) throw new Refused('common.notFound', {}, { field: 'type_id' });
        return this.policyOf(userId, type, coins);
      },
      decide: async (tx, policy) => {
        if (!(await this.store.insert(tx, policy))) throw new Refused('insurance.active');
        if (!(await this.store.takeQuota(tx, policy.typeId, quotaOf(policy)))) throw new Refused('insurance.quota');
        return this.buying.ask({ object: policy.id, note: null, command: buyOrder(policy) });
      },
    });
  }

  private policyOf(userId: number, type: InsuranceTypeRow, coins: string): Policy {
    const currency = this.reference.get<CurrencyRow>('currency', String(type.currencyId));
    if (!currency?.isMicro) throw new Refused('common.notFound', {}, { field: 'type_id' });
    const { scale } = currency;
    const amount = toUnits(coins, scale);
    if (amount < toUnits(type.minAmount, scale) || amount > toUnits(type.maxAmount, scale))
      throw new Refused('quantity.rule', { min: type.minAmount, max: type.maxAmount }, { field: 'amount' });
    const terms = {
      premiumRate: percent(type.premiumRate),
      stakeRate: percent(type.stakeRate),
      claimLossRate: percent(type.claimLossRate),
      claimRate: percent(type.claimRate),
      endProfitRate: percent(type.endProfitRate),
      maxOpen: type.maxOpen,
      claimsPerDay: type.claimsPerDay,
    };
    return {
      id: this.ids.next(),
      userId,
      typeId: type.id,
      currencyId: currency.id,
      currencyName: currency.name,
      scale,
      amount,
      premium: premiumOf(amount, terms),
      vault: amount,
      running: 0,
      terms,
      state: 'waiting',
      createdAt: this.clock.now(),
      endedAt: null,
    };
  }

  /**
   * The remainder of the vault is returned; the premium is lost.
   * @throws Refused `insurance.openOrders`, `insurance.state`.
   */
  cancel(userId: number, policyId: string, password: string | undefined, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: () => this.fund.demand(userId, password),
      decide: async (tx) => {
        const [policy] = await this.store.lock(tx, [policyId]);
        if (policy?.userId !== userId || policy.state === 'waiting') throw new Refused('common.notFound');
        if (policy.state === 'active' && policy.running > 0) throw new Refused('insurance.openOrders');
        if (policy.state !== 'active') throw new Refused('insurance.state');
        const command = vaultOrder(policy);
        const ended = await this.policies.closePolicy(tx, policy, 'cancelled');
        const answer = new Notice('insurance.cancelled', { insurance: shownPolicy(ended) });
        return this.cancelling.move({ object: policyId, command, answer });
      },
    });
  }
}

/** A whole number of coins as text. @throws Refused `insurance.integer`, `common.fieldInvalid` */
function wholeCoins(amount: string | undefined): string {
  const parsed = parseAmount(amount, 0);
  if (!parsed.ok && parsed.fault === 'notation') throw refuse('common.fieldInvalid', 'amount');
  if (!parsed.ok || parsed.units === 0n || parsed.units >= COINS_MAX)
    throw new Refused('insurance.integer', {}, { field: 'amount' });
  return String(parsed.units);
}
