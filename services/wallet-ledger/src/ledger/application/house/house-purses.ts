import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { accountsWhere, LedgerCommandV1, TOPICS, type Message } from '@bourse/events';
import { Log } from '@bourse/messaging';
import { formatUnits, pow10, toUnits } from '@bourse/money';
import { Config } from '@bourse/platform';
import { Currencies } from '../currencies.js';
import { planBringAll, planEven, planBring, type PartitionUnits, type PurseMove, type Wanted } from './house-plan.js';
import { HousePurseReads, type HousePurse } from './ports.js';

const LOOK_MS = 1_000;
/** A move is on its way for no longer than this; until then its account is left alone. */
const UNDER_WAY_MS = 5_000;
/** What was short is tried again within this; until then its purse keeps what was brought to it. */
const WANTED_MS = 90_000;
const BRING_MS = 3_000;
const BRING_LOOK_MS = 50;
/** The house is no person; the field only has to be filled. */
const NOBODY = 1;
const EVENED = accountsWhere(({ evened }) => evened);

interface Want extends Wanted {
  readonly until: number;
  /** The purse has been seen to have it. */
  readonly isMet: boolean;
}

type Purses = readonly (PartitionUnits & { readonly sequence: number })[];

/**
 * Evens out what an account of the house has in the partitions, so that no product runs dry in one while the house is
 * rich (architecture §4). A move is two journals through clearing: the first one takes the money and passes the second
 * one on in its transaction, as a row of a stream; so both are booked, each once, or neither. Its id derives from the
 * line it starts from: several instances that see the same need make one move.
 */
@Injectable()
export class HousePurses implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('HousePurses');
  private readonly underWay = new Map<string, number>();
  /** By account and currency: what partitions were short of, and until when it is kept for them. */
  private readonly wanted = new Map<string, Map<number, Want>>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly reads: HousePurseReads,
    private readonly log: Log,
    private readonly currencies: Currencies,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.ledgerPartitions > 1) void this.currencies.ready().then(() => this.again());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** A purse was short for a move that is tried again: what it needs is brought there, from wherever it is. */
  want(account: string, currency: number, partition: number, units: bigint, now = Date.now()): void {
    const name = nameOf(account, currency);
    const ofAccount = this.wanted.get(name) ?? new Map<number, Want>();
    const known = ofAccount.get(partition)?.units ?? 0n;
    ofAccount.set(partition, { partition, units: units > known ? units : known, until: now + WANTED_MS, isMet: false });
    this.wanted.set(name, ofAccount);
  }

  /** One look at all purses. @returns how many moves it has asked for. */
  async round(now: number): Promise<number> {
    let moved = 0;
    const groups = grouped(await this.reads.purses(EVENED));
    for (const [name, rows] of groups) {
      const [{ account, currency } = { account: '', currency: 0 }] = rows;
      if ((this.underWay.get(name) ?? 0) > now) continue;
      const purses = this.inUnits(rows, currency);
      if (!purses) continue;
      const wanted = this.wantedOf(name, purses, now);
      const moves = wanted.length > 0 ? planBringAll(purses, wanted) : planEven(purses, this.wholeUnit(currency));
      if (moves.length === 0) continue;
      this.underWay.set(name, now + UNDER_WAY_MS);
      await this.send(account, currency, purses, moves);
      moved += moves.length;
    }
    return moved;
  }

  /**
   * Brings an account's money to the partition that is to pay so many units. @returns whether they are there; false
   * also when the house does not have so much, or not in time.
   */
  async bring(account: string, currency: number, partition: number, units: bigint): Promise<boolean> {
    const look = async (): Promise<Purses | undefined> =>
      this.inUnits(
        (await this.reads.purses([account])).filter((row) => row.currency === currency),
        currency,
      );
    const purses = await look();
    const moves = purses && planBring(purses, partition, units);
    if (!purses || !moves) return false;
    this.underWay.set(nameOf(account, currency), Date.now() + UNDER_WAY_MS);
    await this.send(account, currency, purses, moves);
    for (const until = Date.now() + BRING_MS; ; await sleep(BRING_LOOK_MS)) {
      if (((await look())?.find((purse) => purse.partition === partition)?.units ?? 0n) >= units) return true;
      if (Date.now() > until) return false;
    }
  }

  private wholeUnit(currency: number): bigint {
    return pow10(this.currencies.scaleOf(currency) ?? 0);
  }

  /** What is still wanted: not what has been there and is gone again, because it was paid with, nor what is too old. */
  private wantedOf(name: string, purses: Purses, now: number): Wanted[] {
    const ofAccount = this.wanted.get(name) ?? new Map<number, Want>();
    for (const [partition, want] of ofAccount) {
      const isThere = (purses.find((one) => one.partition === partition)?.units ?? 0n) >= want.units;
      if (want.until < now || (want.isMet && !isThere)) ofAccount.delete(partition);
      else if (isThere) ofAccount.set(partition, { ...want, isMet: true });
    }
    return [...ofAccount.values()];
  }

  /** One purse for every partition, empty ones too; undefined for a currency that has left the catalog. */
  private inUnits(rows: readonly HousePurse[], currency: number): Purses | undefined {
    const scale = this.currencies.scaleOf(currency);
    if (scale === undefined) return undefined;
    return Array.from({ length: this.config.ledgerPartitions }, (_, partition) => {
      const row = rows.find((one) => one.partition === partition);
      return { partition, units: row ? toUnits(row.available, scale) : 0n, sequence: row?.sequence ?? 0 };
    });
  }

  private async send(account: string, currency: number, purses: Purses, moves: readonly PurseMove[]): Promise<void> {
    const scale = this.currencies.scaleOf(currency) ?? 0;
    for (const move of moves) {
      const sequence = purses.find(({ partition }) => partition === move.from)?.sequence ?? 0;
      const id = `house_purse:${account}:${currency}:${move.from}-${move.to}:${sequence}`;
      this.logger.log(`${formatUnits(move.units, scale)} of ${account} go from partition ${move.from} to ${move.to}`);
      await this.log.send(TOPICS.ledgerCommands, move.from, moveOf(id, account, currency, move, scale));
    }
  }

  private again(): void {
    if (this.stopped) return;
    this.running = this.round(Date.now()).then(
      () => undefined,
      (error: unknown) => {
        if (!this.stopped) this.logger.warn(`the purses of the house have to wait: ${String(error)}`);
      },
    );
    void this.running.then(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.again(), LOOK_MS).unref();
    });
  }
}

const nameOf = (account: string, currency: number): string => `${account} ${currency}`;

function grouped(rows: readonly HousePurse[]): ReadonlyMap<string, readonly HousePurse[]> {
  const groups = new Map<string, HousePurse[]>();
  for (const row of rows) {
    const name = nameOf(row.account, row.currency);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return groups;
}

/** Out of one purse into clearing; with it goes the message that takes it out of clearing in the other partition. */
function moveOf(id: string, account: string, currency: number, { to, units }: PurseMove, scale: number): Message {
  const amount = formatUnits(units, scale);
  const journal = (way: 'out' | 'in', from: string, into: string) => ({
    id: `${id}:${way}`,
    causeType: 'house_purse',
    causeId: id,
    legs: [{ from, to: into, currency, amount }],
  });
  const name = { issuer: 'house-purses', userId: NOBODY, onBehalfOf: null } as const;
  return LedgerCommandV1.encode({
    ...name,
    commandId: id,
    journals: [journal('out', account, 'h.clearing')],
    forward: {
      topic: TOPICS.ledgerCommands,
      partition: to,
      message: LedgerCommandV1.encode({ ...name, journals: [journal('in', 'h.clearing', account)] }),
    },
    answer: { type: 'ok' },
  });
}
