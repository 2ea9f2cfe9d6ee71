import { Logger } from '@nestjs/common';
import { ledgerPartition } from '@bourse/events';
import type { Delivery, OwnedPartition, Replies } from '@bourse/messaging';
import { StreamHeads, type Database } from '@bourse/persistence';
import type { Metrics } from '@bourse/platform';
import { HotLedger, type Territory } from '../domain/index.js';
import { Batch, type Answers, type Surroundings } from './batch.js';
import { limitOf } from './commands.js';
import { JournalChain } from './entries.js';
import type { WriterStore } from './ports.js';

/** Commands of one transaction. */
const BATCH_MAX = 1_000;
/** Less than this, and the next batch had better gather during the commit. */
const AHEAD_FROM = 32;
/** Accounts and holds kept in memory; beyond it everything is forgotten and loaded again on touch. */
const MEMORY_MAX = 400_000;

export interface WriterParts {
  readonly database: Database; readonly store: WriterStore; readonly replies: Replies; readonly metrics: Metrics;
  /** Partitions of the ledger. */
  readonly partitions: number;
  /** From so many deliveries in a batch on, the next one does not wait for its commit; `AHEAD_FROM` unless told otherwise. */
  readonly aheadFrom?: number;
  readonly around: Omit<Surroundings, 'partition'>;
}

/**
 * The one writer of a partition's money: takes what has gathered, applies it in memory, and commits journals, holds, balances, answers,
 * outbox and position in one transaction; replies after the commit. While much is to do, the next batch is read and applied during the
 * commit of this one, one ahead and no more [LEDGER-037]. After any failure the memory is thrown away with this run, and the next one loads again.
 */
export class LedgerWriter {
  private readonly logger = new Logger('LedgerWriter');

  constructor(private readonly parts: WriterParts) {}

  /** Runs while the partition is owned. Throws on any failed or uncertain commit. */
  readonly run = async (owned: OwnedPartition): Promise<void> => {
    const { database, store, around, partitions, aheadFrom = AHEAD_FROM } = this.parts;
    const { partition } = owned;
    const scaleOf = (currency: number): number => {
      const scale = around.scaleOf(currency);
      if (scale === undefined) throw new Error(`invariant: currency ${currency} is not in the catalog`);
      return scale;
    };
    const territory: Territory = { partition, ownsUser: (user) => ledgerPartition(user, partitions) === partition, limitOf: (currency) => limitOf(scaleOf(currency)) };
    const ledger = new HotLedger(territory);
    const heads = await StreamHeads.load(database, partition);
    const chain = new JournalChain(partition, await store.chainHead(partition), scaleOf);
    let commit: Promise<void> | null = null;
    let answers: Answers | null = null;
    let taking: Promise<readonly Delivery[]> | undefined;
    const ended = async (): Promise<void> => {
      if (commit === null) return;
      await commit;
      ledger.settle();
      commit = null;
    };
    try {
      for (let size = 0; ;) {
        // Of little, more gathers during the commit and costs less.
        if (size < aheadFrom || ledger.size > MEMORY_MAX) await ended();
        if (ledger.size > MEMORY_MAX) ledger.clear();
        taking = owned.take(BATCH_MAX);
        // A commit that fails ends the wait, and with it all that was applied ahead of it.
        const deliveries = await Promise.race([taking, ...(commit === null ? [] : [commit.then(() => taking ?? [])])]);
        taking = undefined;
        const batch: Batch = new Batch(deliveries, ledger, chain, { ...around, partition }, answers);
        const start = await this.apply(owned, batch, { ledger, heads });
        await ended();
        commit = start();
        // It is awaited later, and may fail before.
        commit.catch(() => undefined);
        ({ answers } = batch);
        // What is behind a row that stops its stream must not be taken: it stops once a commit has shown that this was ours to judge.
        size = batch.stopped.length > 0 ? 0 : batch.done.length;
      }
    } finally {
      // How the commit under way ended was either seen above or is found in the database.
      await Promise.allSettled([commit]);
      taking?.catch(() => undefined); // nobody waits for it any more: it rejects when ownership ends
    }
  };

  /** Applies a batch in memory; what it returns commits it, and may be called when the commit before has ended. */
  private async apply(owned: OwnedPartition, batch: Batch, { ledger, heads }: { ledger: HotLedger; heads: StreamHeads }): Promise<() => Promise<void>> {
    const { database, store, replies } = this.parts;
    const startedAt = performance.now();
    const missing = batch.missing();
    batch.apply(missing, await store.find(missing));
    for (const defect of batch.defects) this.logger.error(`a command was refused as a defect: ${defect}`);
    // Everything is read from memory here: the next batch may run before this is written.
    const write = store.prepare({ partition: owned.partition, at: batch.at, ...ledger.stage(), journals: batch.journals, commands: batch.commands });
    const rows = heads.stage(batch.emissions);
    return async () => {
      if (batch.done.length + batch.stopped.length > 0) {
        await database.transaction(async (tx) => {
          // In this order, in one message; one that fails undoes all.
          await Promise.all([write(tx), tx.emitRows(rows), store.checkAge(tx, batch.at), owned.advance(tx, batch.done)]);
        }, { atOnce: true });
      }
      heads.commit();
      for (const { to, reply } of batch.replies) replies.publish(to, reply);
      for (const { stream, number, reason } of batch.stopped) owned.stopStream(stream, number, reason);
      this.measure(batch, performance.now() - startedAt);
    };
  }

  private measure(batch: Batch, tookMs: number): void {
    const { metrics } = this.parts;
    metrics.counter('bourse_ledger_journals_total', 'Journal rows written').inc(batch.journals.length);
    metrics.histogram('bourse_ledger_batch_ms', 'Time from taking a batch to its commit').observe(tookMs);
    metrics.histogram('bourse_ledger_batch_commands', 'Deliveries of a batch', [], [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]).observe(batch.done.length);
  }
}
