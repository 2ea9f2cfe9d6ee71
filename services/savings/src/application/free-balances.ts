import { Injectable } from '@nestjs/common';
import { Asks, walletLedgerAsks } from '@bourse/messaging';

/** The available balances of change accounts, as the ledger answers them. */
@Injectable()
export class FreeBalances {
  constructor(private readonly asks: Asks) {}

  /** Decimal text by currency id; an absent currency has no balance. @throws AskUnavailable */
  async of(userId: number): Promise<ReadonlyMap<number, string>> {
    const rows = await this.asks.ask(walletLedgerAsks.balances, { userId });
    return new Map(
      rows.filter(({ product }) => product === 'change').map(({ currency, available }) => [currency, available]),
    );
  }
}
