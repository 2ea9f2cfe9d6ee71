import { Injectable, Logger } from '@nestjs/common';
import { TOPICS, type DepthView } from '@bourse/events';
import { Asks, type AuditCheck, type AuditFlow, type OwnedHolds } from '@bourse/messaging';
import { compareDecimals } from '@bourse/money';
import { Alarms } from '@bourse/platform';
import { Descriptions } from './descriptions.js';
import { MarketViews } from './market-views.js';

/**
 * A hold as the ledger has it, or as its object says that it must be. `version` tells states of the object apart that
 * need the same.
 */
export interface HoldLine {
  readonly hold: string;
  readonly currency: number;
  readonly amount: string;
  readonly version?: string;
}
interface ServiceAudit {
  readonly checks: readonly AuditCheck[];
  readonly flow: AuditFlow;
}
/** Of who makes trades: the last number of each market. */
interface MakerAudit extends ServiceAudit {
  readonly tails: Readonly<Record<string, number>>;
}
/** Rounds by service. */
type Rounds = ReadonlyMap<string, ServiceAudit>;
type Maker = ReturnType<Descriptions['makers']>[number];
interface HoldDigests {
  readonly digests: readonly string[];
}
interface HoldLines {
  readonly lines: readonly HoldLine[];
  readonly flow: AuditFlow;
}
/**
 * What the trades of a block, or one trade, moved: how many sides, and by currency the sums of what each side got and
 * gave, plain, without sign, weighted by owner and by place.
 */
export interface Moved {
  readonly from: number;
  readonly sides: number;
  readonly sums: Readonly<Record<string, readonly string[]>>;
}
/** What views keep of the same trades: how many, and sums of prices and quantities, plain and weighted by place. */
export interface Traded {
  readonly from: number;
  readonly trades: number;
  readonly sums: readonly string[];
}

const ASK_MS = 20_000;
/**
 * Between services there is no common instant: looks are repeated until the streams have passed what the first one saw.
 */
const LOOKS_MAX = 8;
const LOOK_AGAIN_MS = 250;
/** Trades of one block, the same everywhere. */
export const BLOCK = 1_000;
/** Blocks compared in one round: the newest first, then a window that walks over the older ones. */
const BLOCKS_AT_ONCE = 100;
/** A row that waits this long has not been published. */
const STUCK_MS = 30_000;
const NAMED_MAX = 20;

/** Names of the alarms that stand in any process of the exchange. */
export abstract class RaisedAlarms {
  abstract names(): readonly string[];
}

/** Joins what the services' auditors find with what only two of them together can tell (invariants I3, I5, I9, I10). */
@Injectable()
export class Audit {
  /** Next block of each market that the walking window looks at. */
  private readonly cursor = new Map<string, number>();
  /** Per consumer and stream: the head that has not been reached since when. */
  private readonly waiting = new Map<string, { readonly head: number; readonly since: number }>();
  private ahead = new Map<string, number>();
  private readonly logger = new Logger('Audit');

  constructor(
    private readonly asks: Asks,
    private readonly alarms: Alarms,
    private readonly everywhere: RaisedAlarms,
    private readonly markets: MarketViews,
    private readonly descriptions: Descriptions,
  ) {}

  /** One round. `own`: what the joining itself found. A service that cannot be asked makes a soft finding. */
  async run(): Promise<{ checks: AuditCheck[]; own: AuditCheck[] }> {
    try {
      const silent = this.descriptions.missing();
      if (silent.length > 0) throw new Error(`${silent.join(', ')} did not describe itself`);
      const rounds = await this.rounds();
      const own = [...(await this.holds()), ...(await this.trades(rounds)), ...this.flow([...rounds.values()])];
      return {
        checks: [...[...rounds].flatMap(([service, round]) => named(service, round)), ...own, this.raised()],
        own,
      };
    } catch (error) {
      const own = [check('gateway.reach', `not every service could be asked: ${(error as Error).message}`, '', true)];
      return { checks: [...own, this.raised()], own };
    }
  }

  /** Who makes trades is asked first: what it counts must be settled by whoever has read its streams up to then. */
  private async rounds(): Promise<Rounds> {
    const makers = new Set(this.descriptions.makers().map(({ service }) => service));
    const audited = this.descriptions.audited();
    const rounds = new Map<string, ServiceAudit>();
    for (const group of [audited.filter((one) => makers.has(one)), audited.filter((one) => !makers.has(one))])
      await Promise.all(group.map(async (service) => rounds.set(service, await this.ask<ServiceAudit>(service, ''))));
    return rounds;
  }

  /** Why a service gave no answer stands in the log; the finding names the service only. */
  private ask<A>(service: string, what: string, question: object = {}): Promise<A> {
    return this.asks.ask<object, A>(`${service}.audit${what}`, question, ASK_MS).catch((error: unknown) => {
      this.logger.warn(`${service} could not be asked: ${String(error)}`);
      throw new Error(`${service} did not answer`);
    });
  }

  /** Alarms that no check speaks of: with their detail where this process raised them, by name elsewhere. */
  private raised(): AuditCheck {
    const own = new Map(this.alarms.list().map(({ name, detail }) => [name, `${name}: ${detail}`]));
    const raised = [...new Set(this.everywhere.names())]
      .filter((name) => !name.startsWith('audit:'))
      .map((name) => own.get(name) ?? name);
    return check('gateway.alarms', raised.length > 0 ? raised.join('; ') : null, 'no alarm is raised', true);
  }

  /**
   * Holds of the ledger against the open objects they are for, each prefix with the service that owns it: digests
   * first, lines only where these differ.
   */
  private async holds(): Promise<AuditCheck[]> {
    const keeper = this.descriptions.holdKeeper();
    if (keeper === undefined) return [];
    const wrong: string[] = [];
    for (const owned of this.descriptions.ownedHolds()) wrong.push(...(await this.holdsOf(keeper, owned)));
    return [check('gateway.holds', wrong.length > 0 ? wrong.join('; ') : null, 'every hold is what its object needs')];
  }

  /** What counts as a difference between the holds of a prefix and what their owner needs. */
  private async holdsOf(keeper: string, owned: OwnedHolds & { readonly service: string }): Promise<readonly string[]> {
    const { prefix, service } = owned;
    const [held, needed] = await Promise.all([
      this.ask<HoldDigests>(keeper, '.holds', { prefix }),
      this.ask<HoldDigests>(service, '.holds', { prefix }),
    ]);
    const buckets = held.digests.flatMap((digest, bucket) => (digest === needed.digests[bucket] ? [] : [bucket]));
    const sights = new ConfirmedDifferences(owned.commands);
    for (let look = 0; buckets.length > 0 && look < LOOKS_MAX; look += 1) {
      if (look > 0) await pause();
      const [ledger, owner] = await Promise.all([
        this.ask<HoldLines>(keeper, '.holds', { prefix, buckets }),
        this.ask<HoldLines>(service, '.holds', { prefix, buckets }),
      ]);
      const differences = holdDifferences(prefix, ledger.lines, owner.lines);
      if (differences.length === 0) break;
      const confirmed = sights.add(differences, { ledger: ledger.flow, owner: owner.flow });
      if (confirmed.length > 0) return confirmed.slice(0, NAMED_MAX);
    }
    return [];
  }

  /** Each trade is settled exactly once, both sides, to the unit; and the views have the same trades. */
  private async trades(rounds: Rounds): Promise<AuditCheck[]> {
    const found = { wrong: [] as string[], unseen: [] as string[], settled: true, viewed: true };
    const symbols: [string, Maker][] = [];
    for (const maker of this.descriptions.makers()) {
      const round = rounds.get(maker.service) as MakerAudit | undefined;
      if (!round) continue;
      const { wrong, unseen, settled, viewed } = await this.tradesOf(maker, round, rounds);
      found.wrong.push(...wrong);
      found.unseen.push(...unseen);
      found.settled &&= settled;
      found.viewed &&= viewed;
      symbols.push(...Object.keys(round.tails).map((symbol): [string, Maker] => [symbol, maker]));
    }
    return [
      check(
        'gateway.settlement',
        found.wrong.length > 0 ? found.wrong.join('; ') : null,
        found.settled ? 'every trade is settled once, both sides' : 'settlements are under way',
      ),
      check(
        'gateway.trades',
        found.unseen.length > 0 ? `${found.unseen.join('; ')}: lists and candles have others than the books` : null,
        found.viewed ? 'lists have the trades of the books' : 'trades are under way',
      ),
      await this.depth(symbols),
    ];
  }

  private async tradesOf(
    maker: Maker,
    made: MakerAudit,
    rounds: Rounds,
  ): Promise<{ wrong: string[]; unseen: string[]; settled: boolean; viewed: boolean }> {
    const settler = this.descriptions.traders('settles', maker.settledOn);
    const viewer = this.descriptions.traders('shows', maker.shownOn);
    const has = (service: string | undefined, topic: string, known: Rounds): boolean => {
      const round = service === undefined ? undefined : known.get(service);
      return round !== undefined && passed(made.flow, round.flow, topic);
    };
    let settled = has(settler, maker.settledOn, rounds);
    let viewed = has(viewer, maker.shownOn, rounds);
    const again = async (service: string | undefined, topic: string): Promise<boolean> =>
      service !== undefined && has(service, topic, new Map([[service, await this.ask<ServiceAudit>(service, '')]]));
    for (let look = 0; !(settled && viewed) && look < LOOKS_MAX; look += 1) {
      await pause();
      if (!settled) settled = await again(settler, maker.settledOn);
      if (!viewed) viewed = await again(viewer, maker.shownOn);
    }
    const wrong: string[] = [];
    const unseen: string[] = [];
    for (const { symbol, from, to } of this.spans(made.tails)) {
      const range = { symbol, from, to };
      const { moved, traded } = await this.ask<{ moved: readonly Moved[]; traded: readonly Traded[] }>(
        maker.service,
        '.trades',
        range,
      );
      if (settled && settler !== undefined) {
        const at = differing(moved, (await this.ask<{ moved: readonly Moved[] }>(settler, '.trades', range)).moved);
        if (at !== null)
          wrong.push(await this.firstWrong(maker.service, settler, symbol, at, Math.min(to, at + BLOCK - 1)));
      }
      if (viewed && viewer !== undefined) {
        const at = differing(traded, (await this.ask<{ traded: readonly Traded[] }>(viewer, '.trades', range)).traded);
        if (at !== null) unseen.push(`trades ${at} to ${Math.min(to, at + BLOCK - 1)} of ${symbol}`);
      }
    }
    return { wrong, unseen, settled, viewed };
  }

  /** Blocks of this round: each market's newest, and a window of the older ones that walks on. */
  private spans(tails: Readonly<Record<string, number>>): { symbol: string; from: number; to: number }[] {
    const markets = Object.entries(tails).filter(([, tail]) => tail > 0);
    const each = Math.max(2, Math.floor(BLOCKS_AT_ONCE / Math.max(1, markets.length)));
    return markets.flatMap(([symbol, tail]) => {
      const last = Math.floor((tail - 1) / BLOCK);
      const start = Math.min(this.cursor.get(symbol) ?? 0, last);
      const end = Math.min(last, start + each - 2);
      this.cursor.set(symbol, end + 1 > last ? 0 : end + 1);
      const window = { symbol, from: start * BLOCK + 1, to: Math.min(tail, (end + 1) * BLOCK) };
      return end === last ? [window] : [window, { symbol, from: last * BLOCK + 1, to: tail }];
    });
  }

  private async firstWrong(maker: string, settler: string, symbol: string, from: number, to: number): Promise<string> {
    const range = { symbol, from, to, each: true };
    const [made, settled] = await Promise.all([
      this.ask<{ moved: readonly Moved[] }>(maker, '.trades', range),
      this.ask<{ moved: readonly Moved[] }>(settler, '.trades', range),
    ]);
    const at = differing(made.moved, settled.moved) ?? from;
    const [trade, journal] = [made.moved, settled.moved].map((side) =>
      JSON.stringify(side.find((one) => one.from === at)?.sums ?? null),
    );
    return `trade ${at} of ${symbol} is not settled as it was made: ${trade} in the book, ${journal} in the journals`;
  }

  /** The depth that clients get is the book: compared at one sequence, found wrong twice. */
  private async depth(symbols: readonly (readonly [string, Maker])[]): Promise<AuditCheck> {
    const wrong: string[] = [];
    for (const [symbol, { service }] of symbols) {
      let seen = 0;
      for (let look = 0; look < LOOKS_MAX && seen < 2; look += 1) {
        const book = await this.asks.ask<object, DepthView>(`${service}.book`, { symbol, depth: 100 }, ASK_MS);
        const view = this.markets.depthAt(symbol, book.seq);
        if (view && !sameLevels(view, book)) {
          if ((seen += 1) === 2) wrong.push(`${symbol} at sequence ${book.seq}`);
        } else if (view) break;
        await pause();
      }
    }
    return check(
      'gateway.depth',
      wrong.length > 0 ? `the depth shown is not the book: ${wrong.join(', ')}` : null,
      'the depth shown is the book',
    );
  }

  /** Streams between the services: nothing waits too long, nobody has read what was never written. */
  private flow(rounds: readonly ServiceAudit[]): AuditCheck[] {
    const flows = rounds.map(({ flow }) => flow);
    const heads = new Map(flows.flatMap((flow) => Object.entries(flow.heads)));
    const now = Date.now();
    const stuck: string[] = [];
    const beyond: string[] = [];
    const ahead = new Map<string, number>();
    for (const flow of flows) {
      for (const [consumer, positions] of Object.entries(flow.positions)) {
        for (const [stream, number] of Object.entries(positions)) {
          const head = heads.get(stream);
          const name = `${consumer} of ${stream}`;
          if (head === undefined) continue;
          // Read at another moment than the head: it counts when a later look at the head has still not reached it.
          if (number > head && (this.ahead.get(name) ?? 0) > head)
            beyond.push(`${name} stands at ${number}, written are ${head}`);
          if (number > head) ahead.set(name, number);
          const before = this.waiting.get(name);
          if (number >= head || before === undefined || number >= before.head)
            this.waiting.set(name, { head, since: now });
          else if (now - before.since > STUCK_MS)
            stuck.push(
              `${name} stands at ${number}, ${before.head} was written ` +
                `${Math.round((now - before.since) / 1_000)} s ago`,
            );
        }
      }
    }
    this.ahead = ahead;
    const letters = flows.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
    return [
      check('flow.positions', beyond.length > 0 ? beyond.join('; ') : null, 'nobody has read what was never written'),
      check('flow.delay', stuck.length > 0 ? stuck.join('; ') : null, 'nothing waits longer than 30 s', true),
      check(
        'flow.deadLetters',
        letters > 0 ? `${letters} messages could not be applied by a view` : null,
        'no view has left out a message',
        true,
      ),
    ];
  }
}

const check = (name: string, fault: string | null, fine: string, soft = false): AuditCheck => ({
  name,
  ok: fault === null,
  detail: fault ?? fine,
  ...(soft ? { soft } : {}),
});
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
const named = (service: string, { checks }: ServiceAudit): AuditCheck[] =>
  checks.map((one) => ({ ...one, name: one.name.startsWith(`${service}.`) ? one.name : `${service}.${one.name}` }));

/** Whether the reader has taken all that the writer had written into a topic. */
export function passed(writer: AuditFlow, reader: AuditFlow, topic: string): boolean {
  const positions = Object.values(reader.positions);
  return Object.entries(writer.heads)
    .filter(([stream]) => stream.includes(`>${topic}/`))
    .every(([stream, head]) => positions.some((read) => (read[stream] ?? 0) >= head));
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

  /** Adds a look; tells the differences that count. */
  add(differences: readonly string[], flows: Flows): readonly string[] {
    if (
      this.before &&
      !(
        passed(this.before.owner, flows.ledger, TOPICS.ledgerCommands) &&
        passed(this.before.ledger, flows.owner, this.commands)
      )
    )
      return [];
    this.seen = new Map(differences.map((difference) => [difference, (this.seen.get(difference) ?? 0) + 1]));
    this.before = flows;
    return differences.filter((difference) => (this.seen.get(difference) ?? 0) >= SIGHTS);
  }
}
const SIGHTS = 3;

/** Where two lists of blocks differ first; null when they are the same. */
export function differing<B extends Moved | Traded>(one: readonly B[], other: readonly B[]): number | null {
  const image = (block: B): string =>
    JSON.stringify([
      'sides' in block ? block.sides : block.trades,
      Object.entries(block.sums).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]);
  const [left, right] = [one, other].map((blocks) => new Map(blocks.map((block) => [block.from, image(block)])));
  const wrong = [...new Set([...left!.keys(), ...right!.keys()])].filter(
    (from) => left!.get(from) !== right!.get(from),
  );
  return wrong.length > 0 ? Math.min(...wrong) : null;
}

const sameLevels = (a: DepthView, b: DepthView): boolean =>
  JSON.stringify([a.bids, a.asks]) === JSON.stringify([b.bids, b.asks]);

/** Where the two sides disagree, each as a sentence that stays the same as long as the difference does. */
export function holdDifferences(prefix: string, held: readonly HoldLine[], needed: readonly HoldLine[]): string[] {
  const keyOf = ({ hold, currency }: HoldLine): string => `${hold} currency ${currency}`;
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
