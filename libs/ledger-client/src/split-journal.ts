import { ledgerPartition, parseLegAccount, type Journal, type Leg } from '@bourse/events';

/** The house account between two partitions; over all of them it sums to zero when the exchange is quiet (I4). */
const CLEARING = 'h.clearing';

/** A journal, the partition whose writer books it, and the user whose command it is. */
export interface PartitionJournal {
  readonly partition: number;
  readonly userId: number;
  readonly journal: Journal;
}

/**
 * A journal between two users or more as the ledger can book it: one journal a partition, those that cross through
 * clearing (architecture §4). Every leg takes from a hold, so that none of them can be refused: nothing that can be
 * refused ever crosses (invariants §2.2). A leg's payment to the house stays in the partition it comes from.
 * @throws RangeError when a leg that crosses takes no hold, or does not name its amount.
 */
export function splitJournal(journal: Journal, partitions: number): PartitionJournal[] {
  const parts = new Map<number, { userId: number; legs: Leg[] }>();
  const add = (userId: number, leg: Leg): void => {
    const partition = ledgerPartition(userId, partitions);
    const part = parts.get(partition) ?? { userId, legs: [] };
    parts.set(partition, part);
    part.legs.push(leg);
  };
  for (const leg of journal.legs) {
    const [from, to] = [parseLegAccount(leg.from), parseLegAccount(leg.to)];
    if (from.owner === 'house') throw new RangeError(`${journal.id}: ${leg.from} belongs to no user's partition`);
    const stays =
      to.owner === 'house' || ledgerPartition(from.owner, partitions) === ledgerPartition(to.owner, partitions);
    if (to.owner === 'house' || stays) {
      add(from.owner, leg);
      continue;
    }
    if (!from.held) throw new RangeError(`${journal.id}: ${leg.from} is no hold, and the leg crosses`);
    if (typeof leg.amount !== 'string' || leg.amount === 'rest')
      throw new RangeError(`${journal.id}: a leg that crosses names its amount`);
    add(from.owner, { ...leg, to: CLEARING });
    add(to.owner, { ...leg, from: CLEARING });
  }
  const isWhole = parts.size === 1;
  return [...parts].map(([partition, { userId, legs }]) => ({
    partition,
    userId,
    journal: { ...journal, id: isWhole ? journal.id : `${journal.id}:${partition}`, legs },
  }));
}
