import { Injectable } from '@nestjs/common';
import type { CurrencyRow } from '@bourse/contract';
import { Reference } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import type { AcceptorCoin } from './ports.js';

/** The coin in which acceptors deal (rules §7). */
export const COIN = 'USDT';

/** Reads the catalog for acceptors. */
@Injectable()
export class AcceptorCatalog {
  constructor(private readonly reference: Reference) {}

  /** @throws Refused `common.unavailable` before the catalog is loaded */
  requireCoin(): AcceptorCoin {
    const coin = this.reference.all<CurrencyRow>('currency').find(({ name, isLegal }) => name === COIN && isLegal);
    if (!coin) throw new Refused('common.unavailable', {}, { status: 503 });
    return coin;
  }
}
