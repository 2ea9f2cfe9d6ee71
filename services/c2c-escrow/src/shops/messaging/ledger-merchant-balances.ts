import { Injectable } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { MerchantBalances, type MerchantBalance } from '../application/ports.js';

interface Balance {
  readonly currency: number;
  readonly product: string;
  readonly available: string;
  readonly held: string;
}

/** Asks the ledger. */
@Injectable()
export class LedgerMerchantBalances extends MerchantBalances {
  constructor(private readonly asks: Asks) {
    super();
  }

  async findBalances(userId: number): Promise<(currencyId: number, scale: number) => MerchantBalance> {
    const rows = await this.asks.ask<{ userId: number }, readonly Balance[]>('wallet-ledger.balances', { userId });
    return (currencyId, scale) => {
      const row = rows.find(({ product, currency }) => product === 'merchant' && currency === currencyId);
      return { available: toUnits(row?.available ?? '0', scale), held: toUnits(row?.held ?? '0', scale) };
    };
  }
}
