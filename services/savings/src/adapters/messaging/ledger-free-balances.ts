import { Injectable } from '@nestjs/common';
import { Asks, walletLedgerAsks } from '@bourse/messaging';
import { FreeBalances } from '../../application/savings-ports.js';

/** Reads the balances of change accounts from the ledger. */
@Injectable()
export class LedgerFreeBalances extends FreeBalances {
  constructor(private readonly asks: Asks) {
    super();
  }

  async of(userId: number): Promise<ReadonlyMap<number, string>> {
    const rows = await this.asks.ask(walletLedgerAsks.balances, { userId });
    return new Map(
      rows.filter(({ product }) => product === 'change').map(({ currency, available }) => [currency, available]),
    );
  }
}
