import { Injectable } from '@nestjs/common';
import { Config, sealOf, type DataSeal } from '@bourse/platform';

const PURPOSE = 'acceptor_deal';

/** Contacts of both sides when the deal was requested; each side may see those of the other. */
export interface ContactSnapshot {
  /** Phone and account of the person. */
  readonly mobile: string;
  readonly account: string;
  /** The acceptor's account for the deal's way of payment. */
  readonly acceptorAccount: string;
}

/** Seals the contacts of deals with acceptors, so that a leaked table reveals nothing. */
export abstract class AcceptorContacts {
  /** The prefix of everything that is sealed under the newest key. */
  abstract readonly prefix: string;
  abstract seal(dealId: string, facts: ContactSnapshot): string;
  /** Also opens contacts that a release before stored in the clear, as JSON. */
  abstract open(dealId: string, sealed: string): ContactSnapshot;
}

/** Seals under `DATA_KEYS`, bound to one deal. */
@Injectable()
export class SealedAcceptorContacts extends AcceptorContacts {
  readonly prefix: string;
  private readonly seals: DataSeal;

  constructor(config: Config) {
    super();
    this.seals = sealOf(config);
    this.prefix = `v1.${this.seals.newest}.`;
  }

  seal(dealId: string, { mobile, account, acceptorAccount }: ContactSnapshot): string {
    return this.seals.sealText(PURPOSE, JSON.stringify({ mobile, account, acceptorAccount }), dealId);
  }
  open(dealId: string, sealed: string): ContactSnapshot {
    const isClear = sealed.startsWith('{');
    return JSON.parse(isClear ? sealed : this.seals.openText(PURPOSE, sealed, dealId)) as ContactSnapshot;
  }
}
