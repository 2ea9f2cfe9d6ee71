import { Injectable } from '@nestjs/common';
import { INTERNAL_CURRENCIES } from '@bourse/events';
import { Asks, walletLedgerAsks } from '@bourse/messaging';
import { formatTrimmed, toUnits } from '@bourse/money';
import { LedgerTotals } from '../application/ledger-totals.js';
import { CASH_SCALE } from '../../acceptors/domain/acceptor-deal.js';
import type { LedgerTotal } from '../domain/expected-totals.js';

/** Asks the ledger. */
@Injectable()
export class AskedLedgerTotals extends LedgerTotals {
  constructor(private readonly asks: Asks) {
    super();
  }

  async findTotals(
    causeType: string,
    causeIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly LedgerTotal[]>> {
    if (causeIds.length === 0) return new Map();
    const rows = await this.asks.ask(walletLedgerAsks.auditNets, { causeType, causeIds });
    const nets = new Map<string, LedgerTotal[]>();
    for (const { causeId, ...net } of rows) nets.set(causeId, [...(nets.get(causeId) ?? []), net]);
    return nets;
  }

  async findQuota(userId: number): Promise<string> {
    const rows = await this.asks.ask(walletLedgerAsks.balances, { userId });
    const own = rows.find(({ product, currency }) => product === 'quota' && currency === INTERNAL_CURRENCIES.CSH.id);
    const [free, held] = [own?.available ?? '0', own?.held ?? '0'].map((text) => toUnits(text, CASH_SCALE));
    return formatTrimmed(free! + held!, CASH_SCALE);
  }
}
