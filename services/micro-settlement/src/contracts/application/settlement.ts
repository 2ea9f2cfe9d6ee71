import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { JUDGED_MS, judgingTicks } from '@bourse/formulas';
import { ledgerPartition, TOPICS, userEvent, userNoticesOf } from '@bourse/events';
import { Sagas, type Moves } from '@bourse/ledger-client';
import { Log } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { judgementOf, OPENING_MS, openingOf, vaultChange, type Contract } from '../domain/contract.js';
import { knownThrough, type Tick } from '../../ticks/domain/tick.js';
import { shownContract } from './answers.js';
import { settleOrder } from './journals.js';
import { settledNotice } from './notices.js';
import { Policies } from '../../insurance/application/policies.js';
import { ContractStore, type Closed, type Known } from './ports.js';
import { Ticks } from '../../ticks/application/ticks.js';
import { MicroDatabase } from '../../shared/application/database.js';
import { TickStore, type TickWindow } from '../../ticks/application/ports.js';

/** The move that books the result of a contract; its object is the contract. */
export const SETTLE_MOVE = 'micro.settle';
/** The most contracts of one transaction: ten thousand that expire in one second are a few statements. */
const BATCH = 1_000;
/** Poll interval for ticks that another instance may have stored. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Opens and settles contracts by the recorded ticks. Its decisions follow from the agreement and the ticks alone: a
 * late, interrupted or repeated round has the same result (decision 0107).
 */
@Injectable()
export class Settlement implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Settlement');
  private readonly moves: Moves;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    sagas: Sagas,
    private readonly log: Log,
    private readonly database: MicroDatabase,
    private readonly contracts: ContractStore,
    private readonly store: TickStore,
    private readonly policies: Policies,
    private readonly clock: Clock,
    ticks: Ticks,
  ) {
    this.moves = sagas.defineMove({ name: SETTLE_MOVE });
    ticks.onStored(() => this.wake());
  }

  onApplicationBootstrap(): void {
    this.wake();
    this.timer = setInterval(() => this.wake(), POLL_INTERVAL_MS);
    this.timer.unref?.();
  }
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Begins a round, or makes the one under way check again. */
  wake(): void {
    this.again = true;
    if (this.stopped) return;
    this.running ??= this.loop().finally(() => {
      this.running = undefined;
    });
  }

  private async loop(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        await this.round();
      } catch (error) {
        this.logger.warn(`contracts are checked again after a failure: ${(error as Error).stack ?? String(error)}`);
        return; // the next look comes by itself
      }
    }
  }

  /** Opens and settles all contracts that the known ticks decide. Returns how many changed. */
  async round(): Promise<number> {
    let moved = 0;
    for (const step of [(known: readonly Known[]) => this.open(known), (known: readonly Known[]) => this.settle(known)])
      for (;;) {
        const known = await this.known();
        const count = known.length === 0 ? 0 : await step(known);
        moved += count;
        if (count < BATCH || this.stopped) break;
      }
    return moved;
  }

  private async known(): Promise<Known[]> {
    const heads = await this.store.heads();
    return heads.map(({ symbol }) => ({ symbol, through: knownThrough(heads, symbol) }));
  }

  private open(known: readonly Known[]): Promise<number> {
    return this.database.transaction(async (tx) => {
      const taken = await this.contracts.takeOpening(tx, known, BATCH);
      if (taken.length === 0) return 0;
      const through = new Map(known.map((each) => [each.symbol, each.through]));
      const ticks = bySymbol(await this.store.within(openingWindows(taken), tx));
      const opened: Contract[] = [];
      const voided: Closed[] = [];
      const used = new Map<string, Tick>();
      for (const contract of taken) {
        const { symbol, acceptedAt, seconds } = contract;
        if (acceptedAt === null) throw new Error(`invariant: contract ${contract.id} opens before it is accepted`);
        const opening = openingOf(acceptedAt, ticks.get(symbol) ?? [], through.get(symbol)!);
        if (opening === null) continue;
        if (opening === 'void') voided.push(this.closed(contract, { result: 'void', profits: 0n }));
        else {
          used.set(`${symbol} ${opening.id}`, opening);
          opened.push({
            ...contract,
            state: 'running',
            openTickId: opening.id,
            openTime: opening.time,
            openPrice: opening.price,
            expireTime: opening.time + seconds * 1_000,
          });
        }
      }
      await this.store.keep(tx, [...used.values()]);
      if (opened.length > 0) await this.contracts.saveOpened(tx, opened);
      await this.close(tx, voided);
      return opened.length + voided.length;
    });
  }

  private settle(known: readonly Known[]): Promise<number> {
    return this.database.transaction(async (tx) => {
      const taken = await this.contracts.takeExpired(tx, known, BATCH);
      if (taken.length === 0) return 0;
      const through = new Map(known.map((each) => [each.symbol, each.through]));
      const ticks = bySymbol(await this.store.within(judgingWindows(taken), tx));
      const closed: Closed[] = [];
      const used = new Map<string, Tick>();
      const judging = new Map<string, readonly Tick[]>();
      for (const contract of taken) {
        const { symbol, expireTime } = contract;
        const key = `${symbol} ${expireTime}`;
        const own = judging.get(key) ?? judgingTicks(ticks.get(symbol) ?? [], expireTime!);
        judging.set(key, own);
        const judgement = judgementOf(contract, own, through.get(symbol)!);
        if (!judgement) continue;
        for (const tick of judgement.ticks) used.set(`${symbol} ${tick.id}`, tick);
        const { result, endPrice, profits } = judgement;
        closed.push(
          this.closed(contract, { result, endPrice, profits, endTickIds: judgement.ticks.map(({ id }) => id) }),
        );
      }
      await this.store.keep(tx, [...used.values()]);
      await this.close(tx, closed);
      return closed.length;
    });
  }

  private closed(contract: Contract, how: Pick<Closed, 'result'> & Partial<Contract>): Closed {
    return { ...contract, ...how, state: 'closed', handledAt: this.clock.now() };
  }

  /** In one transaction: stores the ends, updates counters and vaults, moves the money and notifies the owners. */
  private async close(tx: Tx, closed: readonly Closed[]): Promise<void> {
    if (closed.length === 0) return;
    await this.contracts.saveClosed(tx, closed);
    await this.policies.lock(tx, closed);
    await this.contracts.giveBack(tx, closed);
    // The ledger books the commands of a person in the order in which they are sent: a policy that ends takes its vault
    // out of the account into which the wins are paid.
    await this.moves.beginAll(
      tx,
      closed.map((contract) => ({ object: contract.id, command: settleOrder(contract, contract.result) })),
    );
    await this.policies.contractsClosed(
      tx,
      closed.map((contract) => ({ policyId: contract.policyId, change: vaultChange(contract, contract.result) })),
    );
    const partitions = this.log.partitionsOf(TOPICS.userEvents);
    for (const contract of closed)
      tx.emit(
        TOPICS.userEvents,
        ledgerPartition(contract.userId, partitions),
        userEvent(contract.userId, 'micro_closed', shownContract(contract, contract.handledAt)),
      );
    for (const message of userNoticesOf(closed.map(settledNotice))) tx.emit(TOPICS.userNotices, 0, message);
  }
}

/** One window for all contracts of a market that were accepted within one second. */
function openingWindows(contracts: readonly Contract[]): TickWindow[] {
  const windows = new Map<string, TickWindow>();
  for (const { symbol, acceptedAt } of contracts) {
    const second = Math.floor(acceptedAt! / 1_000) * 1_000;
    windows.set(`${symbol} ${second}`, { symbol, after: second - 1, until: second + OPENING_MS + 1_000 });
  }
  return [...windows.values()];
}
function judgingWindows(contracts: readonly Contract[]): TickWindow[] {
  const windows = new Map<string, TickWindow>();
  for (const { symbol, expireTime } of contracts)
    windows.set(`${symbol} ${expireTime}`, { symbol, after: expireTime! - JUDGED_MS, until: expireTime! });
  return [...windows.values()];
}
function bySymbol(ticks: readonly Tick[]): Map<string, Tick[]> {
  const found = new Map<string, Tick[]>();
  for (const tick of ticks) {
    const known = found.get(tick.symbol);
    if (known) known.push(tick);
    else found.set(tick.symbol, [tick]);
  }
  return found;
}
