import { Injectable } from '@nestjs/common';
import { Alarms, Metrics } from '@bourse/platform';
import { DealPeople } from './facts.js';
import { Reseal, type SealedRow, type SealedRows } from '../../shared/application/reseal.js';

/** What deals have sealed. */
export abstract class SealedDeals implements SealedRows {
  abstract notUnder(prefix: string, behind: string, limit: number): Promise<readonly SealedRow[]>;
  abstract replace(deal: SealedRow, facts: string): Promise<void>;
}

@Injectable()
export class DealReseal extends Reseal {
  constructor(deals: SealedDeals, people: DealPeople, alarms: Alarms, metrics: Metrics) {
    const again = ({ id, facts }: SealedRow): string => people.seal(id, people.open(id, facts));
    super({ what: 'deal', alarm: 'c2c-escrow.reseal', rows: deals, prefix: people.prefix, again }, alarms, metrics);
  }
}
