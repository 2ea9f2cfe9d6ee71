import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { accountsWhere, LedgerCommandV1, TOPICS, type Message } from '@bourse/events';
import { Log } from '@bourse/messaging';
import { formatUnits, maxOf, pow10, toUnits } from '@bourse/money';
import { Config } from '@bourse/platform';
import { Currencies } from '../currencies.js';
import {
  planRebalance,
  planTopUp,
  planTopUps,
  type PartitionUnits,
  type PartitionTransfer,
  type TopUp,
} from './house-plan.js';
import { HOUSE_TRANSFERS, HouseBalanceReads, type HouseBalance } from './ports.js';

const POLL_INTERVAL_MS = 1_000;
/** A transfer is booked within this time; until then no other transfer of its account is planned. */
const TRANSFER_TIMEOUT_MS = 5_000;
/** A refused payment is retried within this time; until then its partition keeps the money transferred for it. */
const TOP_UP_KEPT_MS = 90_000;
const TOP_UP_TIMEOUT_MS = 3_000;
const TOP_UP_POLL_INTERVAL_MS = 50;
/** The user id in commands of the house, which has none: the field is required. */
const NOBODY = 1;
const REBALANCED_ACCOUNTS = accountsWhere(({ evened }) => evened);

interface PendingTopUp extends TopUp {
  readonly until: number;
  /** Whether the partition has had the amount since. */
  readonly isMet: boolean;
}

/** The balance of one house account in each partition. */
type Balances = readonly (PartitionUnits & { readonly sequence: number })[];

/**
 * Rebalances house accounts over the partitions, so that no product runs dry in one partition while another has enough
 * (architecture §4). A transfer is two journals through clearing: the first debits the money and emits the second in
 * its own transaction, so both are booked once, or neither. Its id derives from the sequence of the balance that it
 * debits, so several instances that see the same shortfall make one transfer.
 */
@Injectable()
export class HouseRebalancer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('HouseRebalancer');
  private readonly transfersUntil = new Map<string, number>();
  /**
   * By account and currency: the units that partitions lacked for a payment, and until when these are kept for them.
   */
  private readonly topUps = new Map<string, Map<number, PendingTopUp>>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly reads: HouseBalanceReads,
    private readonly log: Log,
    private readonly currencies: Currencies,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.ledgerPartitions > 1) void this.currencies.ready().then(() => this.runRounds());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Records that a partition could not pay so many units and will retry: the next round transfers them to it. */
  requestTopUp(account: string, currency: number, partition: number, units: bigint, now = Date.now()): void {
    const name = nameOf(account, currency);
    const ofAccount = this.topUps.get(name) ?? new Map<number, PendingTopUp>();
    const known = ofAccount.get(partition)?.units ?? 0n;
    ofAccount.set(partition, {
      partition,
      units: maxOf(units, known),
      until: now + TOP_UP_KEPT_MS,
      isMet: false,
    });
    this.topUps.set(name, ofAccount);
  }

  /**
   * The units that a partition keeps for a payment that it could not make: a transfer to another partition must leave
   * them, because the instance that plans it may not know of the payment [HOUSE-014]. 0 without such a payment.
   */
  keptUnits(account: string, currency: number, partition: number, now = Date.now()): bigint {
    const topUp = this.topUps.get(nameOf(account, currency))?.get(partition);
    return topUp !== undefined && topUp.until >= now ? topUp.units : 0n;
  }

  /** Plans and sends the transfers of all house accounts once. @returns how many it has sent. */
  async round(now: number): Promise<number> {
    let sent = 0;
    const groups = groupByAccount(await this.reads.balances(REBALANCED_ACCOUNTS));
    for (const [name, rows] of groups) {
      const [{ account, currency } = { account: '', currency: 0 }] = rows;
      const balances = this.fillPartitions(rows, currency);
      if (!balances) continue;
      const topUps = this.openTopUps(name, balances, now);
      if ((this.transfersUntil.get(name) ?? 0) > now) continue;
      const transfers =
        topUps.length > 0 ? planTopUps(balances, topUps) : planRebalance(balances, this.wholeUnit(currency));
      if (transfers.length === 0) continue;
      this.transfersUntil.set(name, now + TRANSFER_TIMEOUT_MS);
      await this.send(account, currency, balances, transfers);
      sent += transfers.length;
    }
    return sent;
  }

  /**
   * Transfers to one partition the units that it lacks, and waits for them. @returns whether the partition has them;
   * false also if the house has less, or on timeout.
   */
  async topUp(account: string, currency: number, partition: number, units: bigint): Promise<boolean> {
    const read = async (): Promise<Balances | undefined> =>
      this.fillPartitions(
        (await this.reads.balances([account])).filter((row) => row.currency === currency),
        currency,
      );
    const balances = await read();
    const transfers = balances && planTopUp(balances, partition, units);
    if (!balances || !transfers) return false;
    this.transfersUntil.set(nameOf(account, currency), Date.now() + TRANSFER_TIMEOUT_MS);
    await this.send(account, currency, balances, transfers);
    for (const until = Date.now() + TOP_UP_TIMEOUT_MS; ; await sleep(TOP_UP_POLL_INTERVAL_MS)) {
      if (((await read())?.find((balance) => balance.partition === partition)?.units ?? 0n) >= units) return true;
      if (Date.now() > until) return false;
    }
  }

  private wholeUnit(currency: number): bigint {
    return pow10(this.currencies.scaleOf(currency) ?? 0);
  }

  /** The top-ups that are still needed: those neither used for a payment nor expired. */
  private openTopUps(name: string, balances: Balances, now: number): TopUp[] {
    const ofAccount = this.topUps.get(name) ?? new Map<number, PendingTopUp>();
    for (const [partition, topUp] of ofAccount) {
      const isThere = (balances.find((one) => one.partition === partition)?.units ?? 0n) >= topUp.units;
      if (topUp.until < now || (topUp.isMet && !isThere)) ofAccount.delete(partition);
      else if (isThere) ofAccount.set(partition, { ...topUp, isMet: true });
    }
    return [...ofAccount.values()];
  }

  /** The balance of every partition, 0 where nothing was booked; undefined for a currency that left the catalog. */
  private fillPartitions(rows: readonly HouseBalance[], currency: number): Balances | undefined {
    const scale = this.currencies.scaleOf(currency);
    if (scale === undefined) return undefined;
    return Array.from({ length: this.config.ledgerPartitions }, (_, partition) => {
      const row = rows.find((one) => one.partition === partition);
      return { partition, units: row ? toUnits(row.available, scale) : 0n, sequence: row?.sequence ?? 0 };
    });
  }

  private async send(
    account: string,
    currency: number,
    balances: Balances,
    transfers: readonly PartitionTransfer[],
  ): Promise<void> {
    const scale = this.currencies.scaleOf(currency) ?? 0;
    for (const transfer of transfers) {
      const sequence = balances.find(({ partition }) => partition === transfer.from)?.sequence ?? 0;
      const reserve = transfer.isReserve ? ':reserve' : '';
      const id = `house_purse:${account}:${currency}:${transfer.from}-${transfer.to}:${sequence}${reserve}`;
      this.logger.log(
        `${formatUnits(transfer.units, scale)} of ${account} go from partition ${transfer.from} to ${transfer.to}`,
      );
      await this.log.send(
        TOPICS.ledgerCommands,
        transfer.from,
        createTransferCommand(id, account, currency, transfer, scale),
      );
    }
  }

  private runRounds(): void {
    if (this.stopped) return;
    this.running = this.round(Date.now()).then(
      () => undefined,
      (error: unknown) => {
        if (!this.stopped) this.logger.warn(`house accounts were not rebalanced, tried again: ${String(error)}`);
      },
    );
    void this.running.then(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.runRounds(), POLL_INTERVAL_MS).unref();
    });
  }
}

const nameOf = (account: string, currency: number): string => `${account} ${currency}`;

function groupByAccount(rows: readonly HouseBalance[]): ReadonlyMap<string, readonly HouseBalance[]> {
  const groups = new Map<string, HouseBalance[]>();
  for (const row of rows) {
    const name = nameOf(row.account, row.currency);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return groups;
}

/**
 * The command that pays one partition's part into clearing and carries the command that books it in the other
 * partition.
 */
function createTransferCommand(
  id: string,
  account: string,
  currency: number,
  { to, units }: PartitionTransfer,
  scale: number,
): Message {
  const amount = formatUnits(units, scale);
  const journal = (way: 'out' | 'in', from: string, into: string) => ({
    id: `${id}:${way}`,
    causeType: 'house_purse',
    causeId: id,
    legs: [{ from, to: into, currency, amount }],
  });
  const name = { issuer: HOUSE_TRANSFERS, userId: NOBODY, onBehalfOf: null } as const;
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
