import { LedgerClient } from '@bourse/ledger-client';
import { Metrics, Alarms, SystemClock, type Config } from '@bourse/platform';
import {
  available,
  LedgerCommandV1,
  ledgerPartition,
  RESULT_TOPICS,
  TOPICS,
  type LedgerReply,
  type Leg,
  type Message,
} from '@bourse/events';
import { InProcessLog, InProcessReplies } from '@bourse/messaging';
import type { Database, PostgresDatabases } from '@bourse/persistence';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import type { z } from 'zod';
import { migrations } from '../../../src/migrations.js';
import { PostgresAuditReads } from '../../../src/ledger/adapters/persistence/audit-reads.js';
import { LedgerAudit } from '../../../src/ledger/application/audit/ledger-audit.js';
import { PostgresLedgerReader } from '../../../src/ledger/adapters/persistence/ledger-reader.js';
import { PostgresWriterStore } from '../../../src/ledger/adapters/persistence/writer-store.js';
import type { Changes, Found } from '../../../src/ledger/application/ports.js';
import type { Tx } from '@bourse/persistence';
import { LedgerWriter } from '../../../src/ledger/application/writer/writer.js';

/** How long a writer may take to own its partition, and to answer. */
const OWNED_MS_MAX = testTimeoutMs(6_000);

export const USDT = 3;
export const BTC = 1;
export const ETH = 2;
export const XRP = 4;
const SCALES: Readonly<Record<number, number>> = { [USDT]: 8, [BTC]: 8, [ETH]: 8, [XRP]: 8 };
const NAMES: Readonly<Record<number, string>> = { [USDT]: 'USDT', [BTC]: 'BTC', [ETH]: 'ETH', [XRP]: 'XRP' };
export const scaleOf = (currency: number): number | undefined => SCALES[currency];
export const nameOf = (currency: number): string => NAMES[currency] ?? '';

type Command = z.input<typeof LedgerCommandV1.schema>;

/** A process with a writer for each partition, over real PostgreSQL and the log of the embedded run. */
export class LedgerProcess {
  readonly alarms = new Alarms();
  readonly replies: InProcessReplies;
  readonly log: InProcessLog;
  readonly reader: PostgresLedgerReader;
  readonly client: LedgerClient;
  private readonly handles: { stop(): Promise<void> }[];

  private constructor(
    readonly database: Database,
    private readonly databases: PostgresDatabases,
    readonly partitions: number,
    instance: string,
    store: FailingStore,
  ) {
    this.replies = new InProcessReplies(instance);
    this.log = new InProcessLog(
      {
        instance,
        alarms: this.alarms,
        partitions: {
          [TOPICS.ledgerCommands]: partitions,
          [TOPICS.spotCommands]: 1,
          [TOPICS.spotEvents]: 1,
          [TOPICS.userEvents]: 1,
          [TOPICS.reference]: 1,
          [TOPICS.walletCommands]: 1,
          [TOPICS.operatorActions]: 1,
          [TOPICS.ledgerFacts]: 1,
          ...Object.fromEntries(RESULT_TOPICS.map((topic) => [topic, 1])),
        },
      },
      databases,
    );
    this.reader = new PostgresLedgerReader(database);
    this.client = new LedgerClient(this.log, this.replies, this.reader, new SystemClock(), {
      ledgerPartitions: partitions,
    } as Config);
    const writer = new LedgerWriter({
      database,
      store,
      replies: this.replies,
      metrics: new Metrics(),
      partitions,
      context: { userEventPartitions: 1, scaleOf, nameOf, now: () => Date.now(), isWatched: () => true },
    });
    this.handles = Array.from({ length: partitions }, (_, partition) =>
      this.log.own({ consumer: 'ledger.writer', topic: TOPICS.ledgerCommands, partition, database, run: writer.run }),
    );
  }

  get audit(): LedgerAudit {
    return new LedgerAudit(new PostgresAuditReads(this.database), this.partitions);
  }

  static async start(
    test: TestDatabases,
    { partitions = 1, instance = 'one', fail = (_: Changes): void => undefined, late = (): number => 0 } = {},
  ): Promise<LedgerProcess> {
    const databases = test.another();
    const database = await databases.open({ schema: 'ledger', migrations });
    return new LedgerProcess(database, databases, partitions, instance, new FailingStore(database, fail, late));
  }

  /** Sends a command as an edge does, and waits for its reply. */
  async command(
    body: Omit<Command, 'issuer' | 'replyTo'> & { readonly issuer?: Command['issuer'] },
    partition = ledgerPartition(body.userId, this.partitions),
  ): Promise<LedgerReply | null> {
    const message = LedgerCommandV1.encode({ issuer: 'wallet-ledger', replyTo: this.replies.instance, ...body });
    const waiting = this.replies.wait(body.commandId ?? '', OWNED_MS_MAX, () =>
      this.reader.answer(body.commandId ?? ''),
    );
    await this.sendOwned(partition, message);
    return waiting;
  }

  /** A writer that has just been started owns its partition after moments, on a busy machine after seconds. */
  private async sendOwned(partition: number, message: Message): Promise<void> {
    for (const deadline = Date.now() + OWNED_MS_MAX; ;)
      try {
        return await this.log.send(TOPICS.ledgerCommands, partition, message);
      } catch (error) {
        if (!String(error).includes('has no owner') || Date.now() > deadline) throw error;
      }
  }

  async seed(user: number, amount: string, currency = USDT, product = 'change'): Promise<void> {
    const reply = await this.command({
      commandId: `seed:${user}:${currency}:${product}`,
      issuer: 'seed',
      userId: user,
      answer: { type: 'ok' },
      journals: [
        {
          id: `seed:${user}:${currency}:${product}`,
          causeType: 'seed',
          causeId: String(user),
          legs: [{ from: 'h.outside', to: available(user, product as 'change'), currency, amount }],
        },
      ],
    });
    if (!reply?.ok) throw new Error(`seed: ${JSON.stringify(reply)}`);
  }

  /** A transfer of a user between two of their accounts. */
  transfer(user: number, commandId: string, amount: string, more: Partial<Command> = {}): Promise<LedgerReply | null> {
    const legs: Leg[] = [{ from: available(user, 'change'), to: available(user, 'legal'), currency: USDT, amount }];
    return this.command({
      commandId,
      userId: user,
      answer: { type: 'ok', key: 'transfer.success', extra: { id: commandId } },
      journals: [{ id: `transfer:${commandId}`, causeType: 'transfer', causeId: commandId, legs }],
      ...more,
    });
  }

  async balance(user: number, account = 'change', currency = USDT): Promise<string> {
    const rows = await this.reader.balances(user);
    return rows.find((row) => row.account === account && row.currency === currency)?.available ?? '0';
  }

  async stop(): Promise<void> {
    await Promise.all(this.handles.map((handle) => handle.stop()));
    await this.log.close();
    await this.databases.close();
  }
}

/** Breaks transactions, and lets time pass between reading and committing, where a test says so. */
class FailingStore extends PostgresWriterStore {
  constructor(
    database: Database,
    private readonly fail: (changes: Changes) => void,
    private readonly late: () => number,
  ) {
    super(database, (currency) => scaleOf(currency) ?? 8);
  }
  override async find(names: Parameters<PostgresWriterStore['find']>[0]): Promise<Found> {
    const found = await super.find(names);
    return { ...found, at: found.at - this.late() };
  }
  override async save(tx: Tx, changes: Changes): Promise<void> {
    this.fail(changes);
    await super.save(tx, changes);
  }
}

/** A stand-in for another service: a schema of its own that emits messages in its transactions. */
export async function sender(
  test: TestDatabases,
  process: LedgerProcess,
): Promise<{ emit(partition: number, messages: readonly Message[]): Promise<void> }> {
  const databases = (process as unknown as { databases: PostgresDatabases }).databases;
  const database = await databases.open({ schema: 'spot', migrations: [] });
  return {
    emit: (partition, messages) =>
      database.transaction(async (tx) => {
        for (const message of messages) tx.emit(TOPICS.ledgerCommands, partition, message);
      }),
  };
}

/** A database with the ledger's tables, as they are after its migrations. */
export const ledgerDatabases = (): Promise<TestDatabases> => testDatabases({ shape: { schema: 'ledger', migrations } });

export { testDatabases };
