import { Injectable } from '@nestjs/common';
import { INTERNAL_CURRENCIES } from '@bourse/events';
import { Asks, walletLedgerAsks } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { AcceptorBalances, type AcceptorBalance } from '../application/ports.js';
import { AcceptorCatalog } from '../application/catalog.js';
import { CASH_SCALE } from '../domain/acceptor-deal.js';

/** Asks the ledger. */
@Injectable()
export class LedgerAcceptorBalances extends AcceptorBalances {
  constructor(
    private readonly asks: Asks,
    private readonly catalog: AcceptorCatalog,
  ) {
    super();
  }

  async findBalance(userId: number): Promise<AcceptorBalance> {
    const { id, scale } = this.catalog.requireCoin();
    const rows = await this.asks.ask(walletLedgerAsks.balances, { userId });
    const found = (product: string, currency: number) =>
      rows.find((row) => row.product === product && row.currency === currency);
    const free = (product: string, currency: number, at: number): bigint =>
      toUnits(found(product, currency)?.available ?? '0', at);
    return {
      posted: free('acceptor', id, scale),
      reserved: toUnits(found('acceptor', id)?.held ?? '0', scale),
      legal: free('legal', id, scale),
      cash: free('quota', INTERNAL_CURRENCIES.CSH.id, CASH_SCALE),
    };
  }
}
