import { Injectable } from '@nestjs/common';
import { Config, sealOf, type DataSeal } from '@bourse/platform';

const PURPOSE = 'acceptor_deal';

/** What each side of a deal with an acceptor may be told of the other, as it was when the deal was asked for. */
export interface ContactSnapshot {
  /** Phone, and account of the person. */
  readonly mobile: string;
  readonly account: string;
  /** Where the acceptor is paid by the deal's way. */
  readonly acceptorAccount: string;
}

/** Phones and accounts of deals with acceptors: kept with the deal so that a leaked table tells nothing. */
export abstract class AcceptorContacts {
  /** What everything begins with that is sealed now. */
  abstract readonly prefix: string;
  abstract seal(dealId: string, facts: ContactSnapshot): string;
  /** Also what a release before has left in the clear, as JSON. */
  abstract open(dealId: string, sealed: string): ContactSnapshot;
}

/** Sealed under `DATA_KEYS`, each for its deal alone. */
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
