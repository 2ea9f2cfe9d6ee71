import { Injectable } from '@nestjs/common';
import { Metrics } from '@bourse/platform';
import { C2cDatabase } from '../../shared/application/database.js';

const STATES = ['waiting', 'unpaid', 'paid'] as const;

/** Counts C2C deals under way, and those under appeal. */
@Injectable()
export class OpenDealMetrics {
  constructor(database: C2cDatabase, metrics: Metrics) {
    metrics.queried('bourse_deals_open', 'Deals of C2C that are under way, by state', ['state'], async () => {
      const rows = await database.query<{ state: string; deals: string }>(
        `select state, count(*)::text as deals from deal where state in ('waiting', 'unpaid', 'paid') group by state`,
      );
      const counts = new Map(rows.map(({ state, deals }) => [state, Number(deals)]));
      return STATES.map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 }));
    });
    metrics.queried('bourse_appeals_open', 'Deals under way that a party has appealed against', [], async () => {
      const [row] = await database.query<{ appeals: string }>(
        `select count(*)::text as appeals from deal where state in ('waiting', 'unpaid', 'paid') and appeal = 'open'`,
      );
      return [{ labels: {}, value: Number(row?.appeals ?? 0) }];
    });
  }
}
