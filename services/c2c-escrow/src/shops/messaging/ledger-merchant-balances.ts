import { Injectable } from '@nestjs/common';
import { Asks, walletLedgerAsks } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { MerchantBalances, type MerchantBalance } from '../application/ports.js';

/** Asks the ledger. */
@Injectable()
export class LedgerMerchantBalances extends MerchantBalances {
  constructor(private readonly asks: Asks) {
    super();
  }

  async findBalances(userId: number): Promise<(currencyId: number, scale: number) => MerchantBalance> {
    const rows = await this.asks.ask(walletLedgerAsks.balances, { userId });
    return (currencyId, scale) => {
      const row = rows.find(({ product, currency }) => product === 'merchant' && currency === currencyId);
      return { available: toUnits(row?.available ?? '0', scale), held: toUnits(row?.held ?? '0', scale) };
    };
  }
}
