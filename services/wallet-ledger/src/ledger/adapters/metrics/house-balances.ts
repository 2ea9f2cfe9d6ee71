import { Injectable } from '@nestjs/common';
import { Metrics } from '@bourse/platform';
import { Currencies } from '../../application/currencies.js';
import { LedgerDatabase } from '../persistence/ledger-database.js';

/** Balances of the house by account and currency, summed over all partitions. */
@Injectable()
export class HouseBalances {
  constructor(database: LedgerDatabase, currencies: Currencies, metrics: Metrics) {
    metrics.queried(
      'bourse_house_balance_units',
      'Balance of an account of the house over all partitions, in units of its currency',
      ['account', 'currency'],
      async () => {
        // A number is precise enough for a chart; the ledger's own amounts are exact texts.
        const rows = await database.query<{ account: string; currency: number; amount: string }>(
          `select product as account, currency, sum(available)::text as amount from balance
           where owner < 0 group by product, currency`,
        );
        return rows.map(({ account, currency, amount }) => ({
          labels: { account, currency: currencies.nameOf(currency) },
          value: Number(amount),
        }));
      },
    );
  }
}
