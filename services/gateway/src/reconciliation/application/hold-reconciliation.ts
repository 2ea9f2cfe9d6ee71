import { TOPICS } from '@bourse/events';
import type { AuditCheck, AuditedHold, AuditFlow, OwnedHolds } from '@bourse/messaging';
import { compareDecimals } from '@bourse/money';
import type { Descriptions } from '../../shared/application/descriptions.js';
import { check, POLLS_MAX, passed, pause, type AuditAsks } from './audit-round.js';

const NAMED_MAX = 20;
/** A difference counts after this many reads. */
const SIGHTS = 3;

/** Compares the holds of the ledger with the open objects of other services (invariant I3). */
export class HoldReconciliation {
  constructor(
    private readonly asks: AuditAsks,
    private readonly descriptions: Descriptions,
  ) {}

  /**
   * Compares the ledger's holds with their open objects, each prefix with the service that owns it: digests first,
   * lines only if these differ.
   */
  async run(): Promise<AuditCheck[]> {
    const keeper = this.descriptions.holdKeeper();
    if (keeper === undefined) return [];
    const wrong: string[] = [];
    for (const owned of this.descriptions.ownedHolds()) wrong.push(...(await this.differencesOf(keeper, owned)));
    return [check('gateway.holds', wrong.length > 0 ? wrong.join('; ') : null, 'every hold is what its object needs')];
  }

  /** The confirmed differences between the holds of a prefix and the amounts that their owner needs. */
  private async differencesOf(
    keeper: string,
    owned: OwnedHolds & { readonly service: string },
  ): Promise<readonly string[]> {
    const { prefix, service } = owned;
    const [held, needed] = await Promise.all([
      this.asks.holdDigests(keeper, prefix),
      this.asks.holdDigests(service, prefix),
    ]);
    const buckets = held.flatMap((digest, bucket) => (digest === needed[bucket] ? [] : [bucket]));
    const sights = new ConfirmedDifferences(owned.commands);
    for (let poll = 0; buckets.length > 0 && poll < POLLS_MAX; poll += 1) {
      if (poll > 0) await pause();
      const [ledger, owner] = await Promise.all([
        this.asks.holdLines(keeper, prefix, buckets),
        this.asks.holdLines(service, prefix, buckets),
      ]);
      const differences = holdDifferences(prefix, ledger.lines, owner.lines);
      if (differences.length === 0) break;
      const confirmed = sights.add(differences, { ledger: ledger.flow, owner: owner.flow });
      if (confirmed.length > 0) return confirmed.slice(0, NAMED_MAX);
    }
    return [];
  }
}

interface Flows {
  readonly ledger: AuditFlow;
  readonly owner: AuditFlow;
}

/**
 * Differences between holds and open objects over several reads. Messages in flight look like one: an order that the
 * book has not read yet, and then, when it ended at once, its release that the ledger has not read yet. So a difference
 * counts when it is seen three times, and between two reads the streams have passed the positions of the earlier one:
 * first the book's, then the ledger's.
 */
export class ConfirmedDifferences {
  private before: Flows | undefined;
  private seen: ReadonlyMap<string, number> = new Map();

  /** `commands`: the topic on which the ledger passes on the commands behind holds. */
  constructor(private readonly commands: string) {}

  /** Adds a read and returns the differences that count. */
  add(differences: readonly string[], flows: Flows): readonly string[] {
    if (
      this.before &&
      !(
        passed(this.before.owner, flows.ledger, TOPICS.ledgerCommands) &&
        passed(this.before.ledger, flows.owner, this.commands) &&
        passed(this.before.owner, flows.owner, this.commands)
      )
    )
      return [];
    // Commands that the owner has passed on between its partitions meanwhile are in flight once more.
    if (this.before && sentTo(this.before.owner, this.commands) !== sentTo(flows.owner, this.commands))
      this.seen = new Map();
    this.seen = new Map(differences.map((difference) => [difference, (this.seen.get(difference) ?? 0) + 1]));
    this.before = flows;
    return differences.filter((difference) => (this.seen.get(difference) ?? 0) >= SIGHTS);
  }
}

/** The heads of a service's streams to a topic, as one text. */
const sentTo = ({ heads }: AuditFlow, topic: string): string =>
  JSON.stringify(
    Object.entries(heads)
      .filter(([stream]) => stream.includes(`>${topic}/`))
      .sort(),
  );

/** The differences between the two sides, each as a sentence that does not change while the difference exists. */
export function holdDifferences(
  prefix: string,
  held: readonly AuditedHold[],
  needed: readonly AuditedHold[],
): string[] {
  const keyOf = ({ hold, currency }: AuditedHold): string => `${hold} currency ${currency}`;
  const byKey = new Map(
    held.filter(({ hold }) => hold.startsWith(`${prefix}:`)).map((line) => [keyOf(line), line.amount]),
  );
  const differences: string[] = [];
  for (const line of needed) {
    const key = keyOf(line);
    const amount = byKey.get(key) ?? '0';
    byKey.delete(key);
    if (compareDecimals(amount, line.amount) !== 0)
      differences.push(
        `${key}: ${amount} held, ${line.amount} needed` +
          (line.version === undefined ? '' : ` (version ${line.version})`),
      );
  }
  for (const [key, amount] of byKey)
    if (compareDecimals(amount, '0') !== 0) differences.push(`${key}: ${amount} held for nothing that is open`);
  return differences;
}
