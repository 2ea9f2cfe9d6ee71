import { Injectable } from '@nestjs/common';
import { Alarms, Metrics } from '@bourse/platform';
import { AcceptorPeople } from './facts.js';
import { Reseal, type SealedRow, type SealedRows } from '../../shared/application/reseal.js';

const ALARM = 'c2c-escrow.reseal.acceptors';

/** What deals with acceptors have sealed, or have in the clear from a release before. */
export abstract class SealedAcceptorDeals implements SealedRows {
  abstract notUnder(prefix: string, behind: string, limit: number): Promise<readonly SealedRow[]>;
  abstract replace(deal: SealedRow, facts: string): Promise<void>;
}

@Injectable()
export class AcceptorReseal extends Reseal {
  constructor(deals: SealedAcceptorDeals, people: AcceptorPeople, alarms: Alarms, metrics: Metrics) {
    const again = ({ id, facts }: SealedRow): string => people.seal(id, people.open(id, facts));
    super({ what: 'acceptor_deal', alarm: ALARM, rows: deals, prefix: people.prefix, again }, alarms, metrics);
  }
}
