import { Injectable, Logger } from '@nestjs/common';
import { PersonFactV1, TOPICS, type PersonFact } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import { AuthDatabase } from './ports/database.js';

/** People per transaction when unpublished facts are published later. */
const PIECE = 500;

/** Publishes a fact about a person in a transaction (TOPICS.peopleFacts). */
export const publishFact = (tx: Pick<Tx, 'emit'>, fact: PersonFact): void =>
  tx.emit(TOPICS.peopleFacts, 0, PersonFactV1.encode(fact));

interface UnpublishedPerson extends Record<string, unknown> {
  readonly id: string;
  readonly inviter: string | null;
  readonly registered: boolean;
  readonly certified: boolean;
  readonly created_at: Date;
  readonly decided_at: Date | null;
}

/**
 * Publishes to other services who has registered, by whom invited, and who is certified: each once, in the transaction
 * that makes it true. Publication is recorded with the person, so that a certificate that is withdrawn and granted
 * again is published once [TEAM-001].
 */
@Injectable()
export class PeopleFacts {
  private readonly log = new Logger('Auth');

  constructor(private readonly database: AuthDatabase) {}

  /** `at` is business time, ms. */
  async registered(tx: Tx, userId: number, inviterId: number | null, at: number): Promise<void> {
    const fresh = await tx.execute('update account set registered_told = true where id = $1 and not registered_told', [
      userId,
    ]);
    if (fresh === 1) publishFact(tx, { fact: 'registered', userId, inviterId, at });
  }

  /** Publishes a certificate once. */
  async certified(tx: Tx, userId: number, at: number): Promise<void> {
    const fresh = await tx.execute('update account set certified_told = true where id = $1 and not certified_told', [
      userId,
    ]);
    if (fresh === 1) publishFact(tx, { fact: 'certified', userId, at });
  }

  /**
   * Publishes the facts of all people from before publication existed, or from an earlier release that still runs
   * beside this one [TEAM-002]. Returns their number.
   */
  async catchUp(): Promise<number> {
    let told = 0;
    for (;;) {
      const piece = await this.database.transaction((tx) => publishPiece(tx));
      told += piece;
      if (piece < PIECE) break;
    }
    if (told > 0) this.log.log(`${told} people were published to the other services`);
    return told;
  }
}

async function publishPiece(tx: Tx): Promise<number> {
  const people = await tx.query<UnpublishedPerson>(
    `select a.id, a.inviter_id as inviter, not a.registered_told as registered,
       a.review_status = 2 and not a.certified_told as certified, a.created_at, i.decided_at
     from account a left join identity i on i.user_id = a.id
     where not a.registered_told or (a.review_status = 2 and not a.certified_told)
     order by a.created_at, a.id limit $1 for update of a skip locked`,
    [PIECE],
  );
  for (const { id, inviter, registered, certified, created_at: createdAt, decided_at: decidedAt } of people) {
    const userId = Number(id);
    const inviterId = inviter === null ? null : Number(inviter);
    if (registered) publishFact(tx, { fact: 'registered', userId, inviterId, at: createdAt.getTime() });
    if (certified) publishFact(tx, { fact: 'certified', userId, at: (decidedAt ?? createdAt).getTime() });
  }
  await tx.execute(
    `update account set registered_told = true, certified_told = certified_told or review_status = 2
     where id = any($1::bigint[])`,
    [people.map(({ id }) => id)],
  );
  return people.length;
}
