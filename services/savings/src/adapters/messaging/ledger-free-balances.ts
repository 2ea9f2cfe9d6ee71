import { Injectable } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import { FreeBalances } from '../../application/savings-ports.js';

interface Balance {
  readonly currency: number;
  readonly product: string;
  readonly available: string;
}

/** The balance of the change account, from the ledger. */
@Injectable()
export class LedgerFreeBalances extends FreeBalances {
  constructor(private readonly asks: Asks) {
    super();
  }

  async of(userId: number): Promise<ReadonlyMap<number, string>> {
    const rows = await this.asks.ask<{ userId: number }, readonly Balance[]>('wallet-ledger.balances', { userId });
    return new Map(
      rows.filter(({ product }) => product === 'change').map(({ currency, available }) => [currency, available]),
    );
  }
}
