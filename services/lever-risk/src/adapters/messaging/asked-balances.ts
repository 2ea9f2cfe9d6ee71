import { Injectable } from '@nestjs/common';
import { Asks, walletLedgerAsks } from '@bourse/messaging';
import { Balances, type LeverBalances } from '../../application/ports.js';

/** Balances as the ledger has committed them. */
@Injectable()
export class AskedBalances extends Balances {
  constructor(private readonly asks: Asks) {
    super();
  }

  of(quote: number, userIds: readonly number[]): Promise<LeverBalances> {
    return this.asks.ask(walletLedgerAsks.lever, { currency: quote, userIds });
  }
}
