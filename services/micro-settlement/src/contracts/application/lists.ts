import { Injectable } from '@nestjs/common';
import {
  toDataPage,
  type CurrencyRow,
  type MicroCurrency,
  type MicroOrder,
  type MicroReceipt,
  type MicroSeconds,
} from '@bourse/contract';
import { PERCENT_SCALE } from '@bourse/formulas';
import { Asks, Reference, walletLedgerAsks } from '@bourse/messaging';
import { formatTrimmed, formatUnits, toUnits } from '@bourse/money';
import { Clock, Refused, type Page } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { InsuranceLists } from '../../insurance/application/lists.js';
import { PolicyStore } from '../../insurance/application/ports.js';
import { AMOUNT_SCALE } from '../../shared/application/amounts.js';
import { shownTick } from '../../ticks/application/answers.js';
import { TickStore } from '../../ticks/application/ports.js';
import { payoutOf, type Contract } from '../domain/contract.js';
import { shownContract, shownSeconds } from './answers.js';
import { CONTRACT_CAUSE } from './journals.js';
import { ContractStore, Durations, type ContractFilter } from './ports.js';
import { COINS, MICRO_TRADE_FEE } from './settings.js';

/** The lists of contracts (api §2.6). */
@Injectable()
export class ContractLists {
  constructor(
    private readonly contracts: ContractStore,
    private readonly policies: PolicyStore,
    private readonly ticks: TickStore,
    private readonly durations: Durations,
    private readonly insurance: InsuranceLists,
    private readonly reference: Reference,
    private readonly settings: Settings,
    private readonly asks: Asks,
    private readonly clock: Clock,
  ) {}

  async seconds(): Promise<MicroSeconds[]> {
    return (await this.durations.all()).filter(({ isOpen }) => isOpen).map(shownSeconds);
  }

  async currencies(userId: number): Promise<MicroCurrency[]> {
    const [balances, policies, types] = await Promise.all([
      this.asks.ask(walletLedgerAsks.balances, { userId }),
      this.policies.active(userId),
      this.insurance.types(),
    ]);
    return COINS.flatMap(({ name, numbers, min, max }) => {
      const currency = this.reference.all<CurrencyRow>('currency').find((row) => row.name === name && row.isMicro);
      if (!currency) return [];
      const { id, scale } = currency;
      const balance = balances.find((row) => row.currency === id && row.product === 'micro')?.available ?? '0';
      const policy = policies.find(({ currencyId }) => currencyId === id);
      return [
        {
          id,
          name,
          micro_numbers: this.settings.get(numbers).map((units) => ({ number: formatTrimmed(units, AMOUNT_SCALE) })),
          micro_trade_fee: formatTrimmed(this.settings.get(MICRO_TRADE_FEE), PERCENT_SCALE),
          micro_min: formatTrimmed(this.settings.get(min), AMOUNT_SCALE),
          micro_max: formatTrimmed(this.settings.get(max), AMOUNT_SCALE),
          user_wallet: {
            micro_balance: formatUnits(toUnits(balance, scale), scale),
            currency_name: name,
            is_micro: 1 as const,
          },
          insurance_types: types.filter(({ currency_id }) => currency_id === id),
          user_insurance: policy
            ? {
                id: policy.id,
                insurance_type_id: policy.typeId,
                amount: formatUnits(policy.amount, scale),
                vault: formatUnits(policy.vault, scale),
                status: 1 as const,
              }
            : null,
        },
      ];
    });
  }

  async list(filter: ContractFilter, page: Page) {
    const now = this.clock.now();
    return toDataPage(await this.contracts.list(filter, page), page, (row): MicroOrder => shownContract(row, now));
  }

  /** As `list`, with the person's id: for operators. */
  async listAll(filter: ContractFilter, page: Page) {
    const now = this.clock.now();
    return toDataPage(await this.contracts.list(filter, page), page, (row: Contract) => ({
      ...shownContract(row, now),
      user_id: row.userId,
    }));
  }

  /** @throws Refused `common.notFound` for what is not a contract of this person's. */
  async receipt(userId: number, id: string): Promise<MicroReceipt> {
    const contract = await this.contracts.find(id);
    if (contract?.userId !== userId) throw new Refused('common.notFound');
    const { symbol, openTickId, endTickIds, result, scale } = contract;
    const [kept, journals] = await Promise.all([
      this.ticks.kept(symbol, [...(openTickId === null ? [] : [openTickId]), ...endTickIds]),
      this.asks.ask(walletLedgerAsks.journals, { userId, causeType: CONTRACT_CAUSE, causeId: id }),
    ]);
    const isOld = kept.length > 0 && kept.every(({ at }) => at === null);
    const shown = new Map(kept.map((tick) => [tick.id, shownTick(tick)]));
    const order = shownContract(contract, this.clock.now());
    return {
      order,
      rule: 'median5',
      tick_version: isOld ? 1 : 2,
      open_tick: openTickId === null ? null : (shown.get(openTickId) ?? null),
      ticks: endTickIds.flatMap((tickId) => shown.get(tickId) ?? []),
      end_price: order.end_price,
      payout: formatUnits(result === null ? 0n : payoutOf(contract, result), scale),
      journals,
    };
  }
}
