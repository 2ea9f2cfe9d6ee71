import { Logger } from '@nestjs/common';
import { ledgerPartition } from '@bourse/events';
import { delay, type Delivery, type OwnedPartition, type Replies } from '@bourse/messaging';
import { StreamHeads, type Database } from '@bourse/persistence';
import { BatchSpans, tracing, type Metrics } from '@bourse/platform';
import { HotLedger, type PartitionScope } from '../../domain/index.js';
import { Batch, type BatchContext, type Shortfall } from './batch.js';
import { limitOf } from './commands.js';
import { JournalChain } from './entries.js';
import type { WriterStore } from '../ports.js';

/** Commands per transaction. */
const BATCH_MAX = 1_000;
/** How long a row waits for what it depends on in another stream, before its stream stops. Ms. */
const EARLY_MS_MAX = 10_000;
/** How often a row that waits is tried again when nothing else comes. Ms. */
const EARLY_RETRY_MS = 250;
/** Accounts and holds kept in memory; beyond it all are dropped and loaded again on touch. */
const MEMORY_MAX = 400_000;

export interface WriterParts {
  readonly database: Database;
  readonly store: WriterStore;
  readonly replies: Replies;
  readonly metrics: Metrics;
  /** Partitions of the ledger. */
  readonly partitions: number;
  readonly context: Omit<BatchContext, 'partition'>;
  /** Called for commands that their sender has no right to send. */
  readonly onRejectedSource?: (what: string) => void;
  /** Called for each shortfall of a house account in a partition; the command is retried. */
  readonly onShortfall?: (shortfall: Shortfall, partition: number) => void;
}

/**
 * The one writer of a partition's money: applies the gathered commands in memory, and commits journals, holds,
 * balances, answers, outbox and position in one transaction; replies after the commit. After any failure the memory is
 * dropped with this run, and the next run loads it again.
 */
export class LedgerWriter {
  private readonly logger = new Logger('LedgerWriter');

  constructor(private readonly parts: WriterParts) {}

  /** Runs while the partition is owned. Throws on any failed or uncertain commit. */
  readonly run = async (owned: OwnedPartition): Promise<void> => {
    const { database, store, context, partitions } = this.parts;
    const { partition } = owned;
    const scaleOf = (currency: number): number => {
      const scale = context.scaleOf(currency);
      if (scale === undefined) throw new Error(`invariant: currency ${currency} is not in the catalog`);
      return scale;
    };
    const scope: PartitionScope = {
      partition,
      ownsUser: (user) => ledgerPartition(user, partitions) === partition,
      limitOf: (currency) => limitOf(scaleOf(currency)),
    };
    const ledger = new HotLedger(scope);
    const heads = await StreamHeads.load(database, partition);
    const chain = new JournalChain(partition, await store.chainHead(partition), scaleOf);
    const source = new EarlyRows(owned);
    for (;;) {
      const { taken, mayWait } = await source.take();
      const spans = tracing.on ? new BatchSpans(performance.now()) : undefined;
      try {
        const batch = new Batch(taken, ledger, chain, { ...context, partition }, spans, mayWait);
        await this.commit(owned, batch, { ledger, heads, spans });
        source.keep(batch.early);
        spans?.end();
      } catch (error) {
        spans?.end(error);
        throw error;
      }
      if (ledger.size > MEMORY_MAX) ledger.clear();
    }
  };

  private async commit(
    owned: OwnedPartition,
    batch: Batch,
    { ledger, heads, spans }: { ledger: HotLedger; heads: StreamHeads; spans: BatchSpans | undefined },
  ): Promise<void> {
    const { database, store, replies } = this.parts;
    const startedAt = performance.now();
    const missing = batch.missing();
    const found = await store.find(missing);
    batch.apply(missing, found);
    for (const defect of batch.defects) this.logger.error(`a command was refused as a defect: ${defect}`);
    for (const rejected of batch.rejectedSources) this.parts.onRejectedSource?.(rejected);
    // A row that stops its stream is reported only after a commit, which proves that this owner may decide.
    if (batch.done.length + batch.stopped.length > 0) {
      const rows = heads.stage(batch.emissions);
      const save = (): Promise<void> =>
        database.transaction(
          async (tx) => {
            // In this order, in one message; a failure of one undoes all.
            await Promise.all([
              store.save(tx, {
                partition: owned.partition,
                at: found.at,
                ...ledger.changes(),
                journals: batch.journals,
                commands: batch.commands,
              }),
              tx.emitRows(rows),
              store.checkAge(tx, found.at),
              owned.advance(tx, batch.done),
            ]);
          },
          { atOnce: true },
        );
      await (spans ? spans.step('postgresql transaction', { kind: 'client' }, save) : save());
      heads.commit();
      ledger.settle();
    }
    for (const shortfall of batch.shortfalls) this.parts.onShortfall?.(shortfall, owned.partition);
    for (const { to, reply } of batch.replies) replies.publish(to, reply);
    for (const { stream, number, reason } of batch.stopped) owned.stopStream(stream, number, reason);
    this.measure(batch, performance.now() - startedAt);
  }

  private measure(batch: Batch, tookMs: number): void {
    const { metrics } = this.parts;
    metrics.counter('bourse_ledger_journals_total', 'Journal rows written').inc(batch.journals.length);
    metrics.histogram('bourse_ledger_batch_seconds', 'Time from taking a batch to its commit').observe(tookMs / 1_000);
    metrics
      .histogram(
        'bourse_ledger_batch_commands',
        'Deliveries of a batch',
        [],
        [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
      )
      .observe(batch.done.length);
  }
}

/**
 * The deliveries of a partition, with the rows that came before what they depend on: a market that moved to another
 * partition of the books sends through another stream, and the ledger may read that one first [LEDGER-057].
 */
class EarlyRows {
  private rows: readonly Delivery[] = [];
  private since = 0;
  private taking: Promise<readonly Delivery[]> | undefined;

  constructor(private readonly owned: OwnedPartition) {}

  /** Takes what comes next behind the rows that wait; these alone after a pause. */
  async take(): Promise<{ readonly taken: readonly Delivery[]; readonly mayWait: boolean }> {
    if (!this.taking) {
      this.taking = this.owned.take(BATCH_MAX);
      // It rejects when ownership ends, and may not be awaited then.
      this.taking.catch(() => undefined);
    }
    const next = await (this.rows.length === 0 ? this.taking : Promise.race([this.taking, delay(EARLY_RETRY_MS)]));
    if (next) this.taking = undefined;
    return {
      taken: [...this.rows, ...(next ?? [])],
      mayWait: this.rows.length === 0 || performance.now() - this.since < EARLY_MS_MAX,
    };
  }

  /** Keeps the rows that have to wait. */
  keep(rows: readonly Delivery[]): void {
    if (this.rows.length === 0) this.since = performance.now();
    this.rows = rows;
  }
}
