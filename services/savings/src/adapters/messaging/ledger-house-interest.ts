import { Injectable } from '@nestjs/common';
import { Asks, walletLedgerAsks } from '@bourse/messaging';
import { HouseInterest } from '../../application/savings-ports.js';

/** Reads the interest of the house from the ledger. */
@Injectable()
export class LedgerHouseInterest extends HouseInterest {
  constructor(private readonly asks: Asks) {
    super();
  }

  async of(currencyId: number): Promise<string> {
    return (await this.asks.ask(walletLedgerAsks.savings, { currency: currencyId })).house;
  }
}
