import { Injectable } from '@nestjs/common';
import type {
  CurrencyRow,
  Insurance,
  InsuranceClaim,
  InsuranceType,
  MicroCurrency,
  MicroOrder,
  MicroReceipt,
  MicroSeconds,
  PairRow,
  TickChain,
} from '@bourse/contract';
import { PERCENT_SCALE } from '@bourse/formulas';
import { Asks, Reference, walletLedgerAsks } from '@bourse/messaging';
import { formatTrimmed, formatUnits, toUnits } from '@bourse/money';
import { Clock, Refused } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { payoutOf, type Contract } from '../domain/contract.js';
import type { Claim } from '../domain/policy.js';
import { shownClaim, shownContract, shownPolicy, shownSeconds, shownTick, shownType } from './answers.js';
import { CONTRACT_CAUSE } from './journals.js';
import { AMOUNT_SCALE, COINS, MICRO_TRADE_FEE } from './micro-settings.js';
import {
  CatalogStore,
  ContractStore,
  PolicyStore,
  TickStore,
  type ContractFilter,
  type InsuranceTypeRow,
  type Page,
  type Rows,
} from './ports.js';

/** Recorded ticks are given for so long a time at once (api §2.6). */
const TICKS_MS_MAX = 10 * 60_000;

/** The lists of contracts, ticks and policies (api §2.6). */
@Injectable()
export class Lists {
  constructor(
    private readonly contracts: ContractStore,
    private readonly policies: PolicyStore,
    private readonly ticks: TickStore,
    private readonly catalog: CatalogStore,
    private readonly reference: Reference,
    private readonly settings: Settings,
    private readonly asks: Asks,
    private readonly clock: Clock,
  ) {}

  async seconds(): Promise<MicroSeconds[]> {
    return (await this.catalog.seconds()).filter(({ isOpen }) => isOpen).map(shownSeconds);
  }

  async currencies(userId: number): Promise<MicroCurrency[]> {
    const [balances, policies, types] = await Promise.all([
      this.asks.ask(walletLedgerAsks.balances, { userId }),
      this.policies.active(userId),
      this.types(),
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
    return pageOf(await this.contracts.list(filter, page), page, (row): MicroOrder => shownContract(row, now));
  }

  /** As `list`, with the person's id: for operators. */
  async listAll(filter: ContractFilter, page: Page) {
    const now = this.clock.now();
    return pageOf(await this.contracts.list(filter, page), page, (row: Contract) => ({
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

  /** @throws Refused `common.notFound`, and `common.fieldInvalid` for more than 10 minutes. */
  async chain(matchId: number, from: number, to: number): Promise<TickChain> {
    const pair = this.reference.get<PairRow>('pair', String(matchId));
    if (!pair) throw new Refused('common.notFound', {}, { field: 'match_id' });
    if (to < from || to - from > TICKS_MS_MAX)
      throw new Refused('common.fieldInvalid', { field: 'to' }, { field: 'to' });
    const found = await this.ticks.within([{ symbol: pair.symbol, after: from - 1, until: to }]);
    const last = found.at(-1);
    return {
      ticks: found.map(shownTick),
      public_key: last?.publicKey ?? '',
      signature: last?.signature ?? '',
    };
  }

  async types(currencyId?: number): Promise<InsuranceType[]> {
    return (await this.catalog.insuranceTypes())
      .filter((row) => currencyId === undefined || row.currencyId === currencyId)
      .flatMap((row) => {
        const currency = this.reference.get<CurrencyRow>('currency', String(row.currencyId));
        return currency ? [shownType(row, currency.name, quotaLeft(row))] : [];
      });
  }

  async insurances(userId: number, currencyId: number | undefined, page: Page) {
    return pageOf(await this.policies.list(userId, currencyId, page), page, (row): Insurance => shownPolicy(row));
  }
  async claims(userId: number | undefined, currencyId: number | undefined, page: Page) {
    return pageOf(await this.policies.claims(userId, currencyId, page), page, (row): InsuranceClaim => shownClaim(row));
  }
  /** As `claims`, with the person's id: for operators. */
  async allClaims(userId: number | undefined, page: Page) {
    return pageOf(await this.policies.claims(userId, undefined, page), page, (row: Claim) => ({
      ...shownClaim(row),
      user_id: row.userId,
    }));
  }
}

const quotaLeft = ({ quota, used }: InsuranceTypeRow): string => {
  const left = toUnits(quota, AMOUNT_SCALE) - toUnits(used, AMOUNT_SCALE);
  return formatTrimmed(left > 0n ? left : 0n, AMOUNT_SCALE);
};

function pageOf<R, S>({ rows, total }: Rows<R>, { page, size, offset }: Page, show: (row: R) => S) {
  return {
    data: rows.map(show),
    page,
    page_size: size,
    total,
    has_more: (rows.length > 0 && offset + rows.length < total ? 1 : 0) as 0 | 1,
  };
}
