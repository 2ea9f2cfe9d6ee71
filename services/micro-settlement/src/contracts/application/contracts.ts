import { Injectable } from '@nestjs/common';
import type { CurrencyRow, PairRow } from '@bourse/contract';
import { percent, type MicroDirection } from '@bourse/formulas';
import { Commands, isHouseShort, Sagas, type Saga } from '@bourse/ledger-client';
import { Reference } from '@bourse/messaging';
import { formatTrimmed, maxOf, minOf, rescale, toUnits } from '@bourse/money';
import { Clock, Notice, Refused, type CallContext, type WrittenAmount, Ids } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { microFee, type Agreement } from '../domain/contract.js';
import { shownContract } from './answers.js';
import { openOrder } from './journals.js';
import { COINS, MICRO_MARKET_CAP, MICRO_MAX_OPEN, MICRO_TRADE_FEE } from './settings.js';
import { Policies } from '../../insurance/application/policies.js';
import { Durations, ContractStore } from './ports.js';
import { AMOUNT_SCALE } from '../../shared/application/amounts.js';

/** The greatest age of a price at which a contract may open (rules §4). */
const FRESH_MS = 5_000;

/** Tells whether the price of a market is recent and its chain is unbroken in this service. */
export abstract class FreshPrices {
  abstract isFresh(symbol: string, maxAgeMs: number): Promise<boolean>;
}

/** The fields of a submission. */
export interface Submission {
  readonly matchId: number;
  readonly currencyId: number;
  readonly direction: MicroDirection;
  readonly seconds: number;
  readonly number: WrittenAmount;
}

/** Opens seconds contracts (rules §4). */
@Injectable()
export class Contracts {
  private readonly opening: Saga<null>;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly store: ContractStore,
    private readonly policies: Policies,
    private readonly durations: Durations,
    private readonly reference: Reference,
    private readonly prices: FreshPrices,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.opening = sagas.define<null>({
      name: 'micro.open',
      onPosted: async (tx, { object, acceptedAt }) => {
        const contract = await this.store.accept(tx, object, acceptedAt);
        await this.policies.feePaid(tx, contract);
        return new Notice('miscro.success', { id: object, order: shownContract(contract, this.clock.now()) });
      },
      onRefused: async (tx, { object }, refusal) => {
        const contract = await this.store.drop(tx, object);
        await this.policies.lock(tx, [contract]);
        await this.store.giveBack(tx, [contract]);
        await this.policies.contractRefused(tx, contract);
        return isHouseShort(refusal) ? new Refused('micro.houseLimit') : refusal;
      },
    });
  }

  /** @throws Refused in the order of rules §12.7, and as the ledger says. */
  submit(userId: number, fields: Submission, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => {
        const agreement = await this.agreed(userId, fields);
        return { agreement, isFresh: await this.prices.isFresh(agreement.symbol, FRESH_MS) };
      },
      decide: async (tx, { agreement, isFresh }) => {
        const { currencyId, stake } = agreement;
        const policyId = await this.policies.takeStake(tx, userId, currencyId, stake);
        const contract: Agreement = { ...agreement, policyId };
        const most = this.settings.get(MICRO_MAX_OPEN);
        if (!(await this.store.takeOpen(tx, userId, most))) throw new Refused('micro.openMax', { max: most });
        if (!isFresh) throw new Refused('market.stale');
        const cap = rescale(this.settings.get(MICRO_MARKET_CAP), AMOUNT_SCALE, contract.scale, 'down');
        if (!(await this.store.takeReserve(tx, contract, cap))) throw new Refused('micro.houseLimit');
        await this.store.insert(tx, contract);
        return this.opening.ask({ object: contract.id, note: null, command: openOrder(contract) });
      },
    });
  }

  /** Builds the part of a contract that depends on the catalog alone. */
  private async agreed(userId: number, fields: Submission): Promise<Agreement> {
    // The number is refused before all others, the market before the duration: fields are read in that order.
    fields.number.units(AMOUNT_SCALE);
    const { matchId, currencyId } = fields;
    const currency = this.reference.get<CurrencyRow>('currency', String(currencyId));
    const coin = currency?.isMicro ? COINS.find(({ name }) => name === currency.name) : undefined;
    const stake = fields.number.units(currency?.scale ?? AMOUNT_SCALE);
    const pair = this.reference.get<PairRow>('pair', String(matchId));
    if (!pair?.openMicro) throw new Refused('pair.delisted', {}, { field: 'match_id' });
    if (!currency || !coin)
      throw new Refused('common.fieldInvalid', { field: 'currency_id' }, { field: 'currency_id' });
    const { direction, seconds } = fields;
    const row = (await this.durations.all()).find((each) => each.seconds === seconds && each.isOpen);
    if (!row) throw new Refused('micro.secondsUnknown', {}, { field: 'seconds' });
    const { scale } = currency;
    const min = maxOf(toUnits(row.minMoney, scale), rescale(this.settings.get(coin.min), AMOUNT_SCALE, scale, 'up'));
    const max = minOf(toUnits(row.maxMoney, scale), rescale(this.settings.get(coin.max), AMOUNT_SCALE, scale, 'down'));
    if (stake < min || stake > max)
      throw new Refused(
        'quantity.rule',
        { min: formatTrimmed(min, scale), max: formatTrimmed(max, scale) },
        { field: 'number' },
      );
    return {
      id: this.ids.next(),
      userId,
      matchId,
      symbol: pair.symbol,
      priceScale: pair.priceScale,
      currencyId,
      currencyName: currency.name,
      scale,
      direction,
      seconds,
      stake,
      fee: microFee(stake, this.settings.get(MICRO_TRADE_FEE)),
      ratio: percent(row.profitRatio),
      policyId: null,
    };
  }
}
