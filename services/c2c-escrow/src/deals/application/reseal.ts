import { Injectable } from '@nestjs/common';
import { Alarms, Metrics } from '@bourse/platform';
import { DealParties } from './parties.js';
import { Reseal, type SealedRow, type SealedRows } from '../../shared/application/reseal.js';

/** Sealed facts of deals. */
export abstract class SealedDeals implements SealedRows {
  abstract listNotUnder(prefix: string, behind: string, limit: number): Promise<readonly SealedRow[]>;
  abstract replace(deal: SealedRow, facts: string): Promise<void>;
}

@Injectable()
export class DealReseal extends Reseal {
  constructor(deals: SealedDeals, parties: DealParties, alarms: Alarms, metrics: Metrics) {
    const reseal = ({ id, facts }: SealedRow): string => parties.seal(id, parties.open(id, facts));
    super({ what: 'deal', alarm: 'c2c-escrow.reseal', rows: deals, prefix: parties.prefix, reseal }, alarms, metrics);
  }
}
