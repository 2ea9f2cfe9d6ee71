import { Injectable } from '@nestjs/common';
import { Parties, type PartyFacts } from '@bourse/messaging';
import { Config, sealOf, type DataSeal } from '@bourse/platform';
import type { Side } from '../domain/deal.js';

const PURPOSE = 'deal';

/** Facts of both sides when the deal opened; each side may see those of the other. */
export type PartySnapshot = Readonly<Record<Side, PartyFacts>>;
/** Permissions held only at the opening; no side sees them, so they are not stored. */
const omitPermissions = ({ mayDeal: _deal, mayAnswer: _answer, isSeller: _seller, ...facts }: PartyFacts): PartyFacts =>
  facts;

/** Finds the parties of deals at auth, and seals their facts with the deal so that a leaked table reveals nothing. */
export abstract class DealParties {
  /** @throws AskUnavailable; Error when auth does not know one of the users */
  abstract findUsers<const Ids extends readonly number[]>(...userIds: Ids): Promise<{ [K in keyof Ids]: PartyFacts }>;
  /** The prefix of everything that is sealed under the newest key. */
  abstract readonly prefix: string;
  abstract seal(dealId: string, facts: PartySnapshot): string;
  abstract open(dealId: string, sealed: string): PartySnapshot;
}

/** Seals under `DATA_KEYS`, bound to one deal. */
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
    const lasting: PartySnapshot = { buyer: omitPermissions(facts.buyer), seller: omitPermissions(facts.seller) };
    return this.seals.sealText(PURPOSE, JSON.stringify(lasting), dealId);
  }
  open(dealId: string, sealed: string): PartySnapshot {
    return JSON.parse(this.seals.openText(PURPOSE, sealed, dealId)) as PartySnapshot;
  }
}
