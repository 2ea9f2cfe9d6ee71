import { TOPICS } from '@bourse/events';
import type { AuditCheck, AuditedHold, AuditFlow, OwnedHolds } from '@bourse/messaging';
import { compareDecimals } from '@bourse/money';
import type { Descriptions } from '../descriptions.js';
import { check, LOOKS_MAX, passed, pause, type AuditAsks } from './audit-round.js';

const NAMED_MAX = 20;
/** So many looks at a difference make it count. */
const SIGHTS = 3;

/** Compares the holds of the ledger with the open objects of other services that they are for (invariant I3). */
export class HoldReconciliation {
  constructor(
    private readonly asks: AuditAsks,
    private readonly descriptions: Descriptions,
  ) {}

  /**
   * Holds of the ledger against the open objects they are for, each prefix with the service that owns it: digests
   * first, lines only where these differ.
   */
  async run(): Promise<AuditCheck[]> {
    const keeper = this.descriptions.holdKeeper();
    if (keeper === undefined) return [];
    const wrong: string[] = [];
    for (const owned of this.descriptions.ownedHolds()) wrong.push(...(await this.differencesOf(keeper, owned)));
    return [check('gateway.holds', wrong.length > 0 ? wrong.join('; ') : null, 'every hold is what its object needs')];
  }

  /** What counts as a difference between the holds of a prefix and what their owner needs. */
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
    for (let look = 0; buckets.length > 0 && look < LOOKS_MAX; look += 1) {
      if (look > 0) await pause();
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
 * Differences between holds and open objects, look by look. What is on its way looks like one: an order that the book
 * has not read yet, and then, when it ended at once, its release that the ledger has not read yet. So a difference
 * counts when it is seen three times, and between two looks the streams have passed what the one before saw: first the
 * book's, then the ledger's.
 */
export class ConfirmedDifferences {
  private before: Flows | undefined;
  private seen: ReadonlyMap<string, number> = new Map();

  /** `commands`: the topic on which the ledger passes on what holds are for. */
  constructor(private readonly commands: string) {}

  /** Adds a look and returns the differences that count. */
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
    // What the owner has passed on among its partitions meanwhile is on its way once more.
    if (this.before && sentTo(this.before.owner, this.commands) !== sentTo(flows.owner, this.commands))
      this.seen = new Map();
    this.seen = new Map(differences.map((difference) => [difference, (this.seen.get(difference) ?? 0) + 1]));
    this.before = flows;
    return differences.filter((difference) => (this.seen.get(difference) ?? 0) >= SIGHTS);
  }
}

/** How far a service has written to a topic, as one word. */
const sentTo = ({ heads }: AuditFlow, topic: string): string =>
  JSON.stringify(
    Object.entries(heads)
      .filter(([stream]) => stream.includes(`>${topic}/`))
      .sort(),
  );

/** Where the two sides disagree, each as a sentence that stays the same as long as the difference does. */
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
