import { Injectable } from '@nestjs/common';
import { Parties, type PartyFacts } from '@bourse/messaging';
import { Config, sealOf, type DataSeal } from '@bourse/platform';
import type { Side } from '../domain/deal.js';

const PURPOSE = 'deal';

/** What each side may be told of the other once there is a deal, as it was at its opening. */
export type PartySnapshot = Readonly<Record<Side, PartyFacts>>;
/** Without what held of a person when the deal opened: nobody is told it. */
const omitPermissions = ({ mayDeal: _deal, mayAnswer: _answer, isSeller: _seller, ...facts }: PartyFacts): PartyFacts =>
  facts;

/** People of deals: asked of auth, and kept with the deal so that a leaked table tells nothing. */
export abstract class DealParties {
  /** Throws `AskUnavailable`; Error when auth does not know one of them. */
  abstract findUsers<const Ids extends readonly number[]>(...userIds: Ids): Promise<{ [K in keyof Ids]: PartyFacts }>;
  /** What everything begins with that is sealed now. */
  abstract readonly prefix: string;
  abstract seal(dealId: string, facts: PartySnapshot): string;
  abstract open(dealId: string, sealed: string): PartySnapshot;
}

/** Sealed under `DATA_KEYS`, each for its deal alone. */
@Injectable()
export class SealedDealParties extends DealParties {
  readonly prefix: string;
  private readonly seals: DataSeal;

  constructor(
    private readonly parties: Parties,
    config: Config,
  ) {
    super();
    this.seals = sealOf(config);
    this.prefix = `v1.${this.seals.newest}.`;
  }

  async findUsers<const Ids extends readonly number[]>(...userIds: Ids): Promise<{ [K in keyof Ids]: PartyFacts }> {
    const found = await this.parties.facts(userIds);
    return userIds.map((userId) => {
      const facts = found.get(userId);
      if (!facts) throw new Error(`auth does not know the person ${userId}`);
      return facts;
    }) as { [K in keyof Ids]: PartyFacts };
  }

  seal(dealId: string, facts: PartySnapshot): string {
    const kept: PartySnapshot = { buyer: omitPermissions(facts.buyer), seller: omitPermissions(facts.seller) };
    return this.seals.sealText(PURPOSE, JSON.stringify(kept), dealId);
  }
  open(dealId: string, sealed: string): PartySnapshot {
    return JSON.parse(this.seals.openText(PURPOSE, sealed, dealId)) as PartySnapshot;
  }
}
