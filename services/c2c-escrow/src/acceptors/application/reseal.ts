import { Injectable } from '@nestjs/common';
import { Alarms, Metrics } from '@bourse/platform';
import { AcceptorContacts } from './contacts.js';
import { Reseal, type SealedRow, type SealedRows } from '../../shared/application/reseal.js';

const ALARM = 'c2c-escrow.reseal.acceptors';

/** Contacts of deals with acceptors, sealed or in the clear from a release before. */
export abstract class SealedAcceptorDeals implements SealedRows {
  abstract listNotUnder(prefix: string, behind: string, limit: number): Promise<readonly SealedRow[]>;
  abstract replace(deal: SealedRow, facts: string): Promise<void>;
}

@Injectable()
export class AcceptorReseal extends Reseal {
  constructor(deals: SealedAcceptorDeals, contacts: AcceptorContacts, alarms: Alarms, metrics: Metrics) {
    const reseal = ({ id, facts }: SealedRow): string => contacts.seal(id, contacts.open(id, facts));
    super({ what: 'acceptor_deal', alarm: ALARM, rows: deals, prefix: contacts.prefix, reseal }, alarms, metrics);
  }
}
