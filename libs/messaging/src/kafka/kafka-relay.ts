import { Logger } from '@nestjs/common';
import type { Database, OutboxRow, RelayCursor } from '@bourse/persistence';
import type { Alarms } from '@bourse/platform';
import { delay } from '../log/delay.js';
import type { RecordSeal } from '../seal/record-seal.js';
import { SendFailed, type KafkaSender } from './kafka-sender.js';
import type { KafkaTopics } from './kafka-topics.js';
import { StreamReader } from '../log/stream-reader.js';

/** Headers of a row's record. A record without `stream` is a direct command. */
export const ROW_HEADERS = { stream: 'stream', number: 'number', previousHash: 'prev', hash: 'hash' } as const;

const FETCH_ROWS = 200;
const ROWS_KEPT_MAX = 10_000;
const SEND_ROWS = 200;
/** Interval at which rows of other instances are found if no wake announces them, as while Redis is away. Ms. */
const POLL_INTERVAL_MS = 1_000;
/** Number of rows of a stream to resend: more than a reader has unread, even after its process was away. */
const REWIND_ROWS = { running: 5_000, starting: 200_000 };
const CURSOR_MS = 1_000;
const BACK_OFF_MS = { first: 50, most: 2_000 };

interface Entry {
  reader: StreamReader;
  readonly topic: string;
  readonly partition: number;
  acked: number;
  /** The latest time that a stored cursor has had, ms; 0 without. */
  sentAt: number;
  /** The broker has lost its rows, and they are not being sent again yet: a cursor would hide the loss. */
  isLost: boolean;
}

/**
 * Sends the rows of one schema's streams to Kafka, each stream in order and nothing before its commit. Only the owner
 * of the schema's relay runs one; a replaced relay that wakes up can only repeat rows.
 */
export class KafkaRelay {
  private readonly logger = new Logger('Relay');
  private readonly readers = new Map<string, Entry>();
  private readonly lanes = new Map<string, { wake: () => void; running: Promise<void> }>();
  private kept = 0;
  /** Whether the stored cursors are known; before that no stream may begin. */
  private isLoaded = false;

  constructor(
    private readonly database: Database,
    private readonly sender: KafkaSender,
    private readonly topics: Pick<KafkaTopics, 'nameOf' | 'lost'>,
    private readonly alarms: Alarms,
    private readonly signal: AbortSignal,
    private readonly seal?: RecordSeal,
  ) {}

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    await this.load();
    this.isLoaded = true;
    const saving = this.saveNowAndThen();
    try {
      while (!this.signal.aborted) {
        await this.poll();
        await delay(POLL_INTERVAL_MS, this.signal);
      }
    } finally {
      await Promise.all([
        saving,
        ...[...this.lanes.values()].map((lane) => {
          lane.wake();
          return lane.running;
        }),
      ]);
      await this.saveCursors();
    }
  }

  /** Rows of a commit in this process. Never waits: rows that do not fit are fetched by number. */
  offer(rows: readonly OutboxRow[]): void {
    if (!this.isLoaded) return;
    for (const row of rows) {
      const entry = this.reader(row.stream, 0);
      if (this.kept >= ROWS_KEPT_MAX) entry.reader.reaches(row.number);
      else if (entry.reader.offer(row)) this.kept += 1;
      this.wake(entry);
    }
  }

  /**
   * The broker has lost this topic's log: rows that it had acknowledged and readers may not have read yet are sent once
   * more. Readers drop what they had; one that was further behind finds a hole, and stops with its alarm.
   */
  async rewind(topic: string): Promise<void> {
    const lost = [...this.readers.values()].filter((one) => this.topics.nameOf(one.topic) === topic);
    for (const entry of lost) entry.isLost = true;
    for (const entry of lost) {
      while (!this.signal.aborted && entry.isLost)
        await this.sendAgain(entry, REWIND_ROWS.running).catch((error: unknown) => {
          this.logger.warn(`${entry.topic} could not be filled again yet: ${(error as Error).message}`);
          return delay(BACK_OFF_MS.most, this.signal);
        });
      this.wake(entry);
    }
  }

  /** Begins at the stored cursors. A partition that ended behind these rows and begins again has since lost them. */
  private async load(): Promise<void> {
    const ends = [...(await this.database.tables.streams.relayed())].map(([stream, { sent, kafkaEnd, sentAt: at }]) => {
      this.saved.set(stream, sent);
      const entry = this.reader(stream, sent);
      const { topic, partition } = entry;
      entry.sentAt = at ?? 0;
      return { entry, topic, partition, offset: BigInt(kafkaEnd ?? 1), at };
    });
    for (const { entry } of await this.topics.lost(ends)) await this.sendAgain(entry, REWIND_ROWS.starting);
  }

  private async sendAgain(entry: Entry, rows: number): Promise<void> {
    const { stream } = entry.reader;
    const [first] = await this.database.rowsOf(stream, Math.max(1, entry.acked - rows + 1), 1);
    entry.isLost = false;
    if (!first || first.number > entry.acked) return;
    const { reached, size } = entry.reader;
    this.kept -= size;
    entry.acked = first.number - 1;
    // The new log has no records of before, by whatever clock.
    entry.sentAt = 0;
    entry.reader = new StreamReader(stream, { number: entry.acked, hash: null });
    entry.reader.reaches(reached);
    // Stores the same number again at the end, because the partition ends elsewhere now.
    this.saved.delete(stream);
    this.logger.warn(`the broker has lost ${entry.topic}: ${stream} is sent again from #${first.number} on`);
  }

  /** Reads the heads: they show rows of other instances, and of commits whose answer was lost. */
  async poll(): Promise<void> {
    if (!this.isLoaded) return;
    try {
      for (const { name, next } of await this.database.tables.streams.heads()) {
        const entry = this.reader(name, 0);
        entry.reader.reaches(next - 1);
        if (entry.reader.waiting) this.wake(entry);
      }
    } catch (error) {
      this.logger.warn(`heads of ${this.database.schema} could not be read: ${(error as Error).message}`);
    }
  }

  /** Rows that are committed and not yet acknowledged by the broker. */
  get backlog(): number {
    let rows = 0;
    for (const { reader, acked } of this.readers.values()) rows += reader.reached - acked;
    return rows;
  }

  private reader(stream: string, sent: number): Entry {
    let entry = this.readers.get(stream);
    if (!entry) {
      const slash = stream.lastIndexOf('/');
      entry = {
        reader: new StreamReader(stream, { number: sent, hash: null }),
        topic: stream.slice(stream.indexOf('>') + 1, slash),
        partition: Number(stream.slice(slash + 1)),
        acked: sent,
        sentAt: 0,
        isLost: false,
      };
      this.readers.set(stream, entry);
    }
    return entry;
  }

  private wake(entry: { topic: string; partition: number }): void {
    const key = `${entry.topic}/${entry.partition}`;
    const lane = this.lanes.get(key);
    if (lane) lane.wake();
    else if (!this.signal.aborted) {
      const made = { wake: () => undefined as void, running: Promise.resolve() };
      this.lanes.set(key, made);
      made.running = this.lane(entry.topic, entry.partition, made);
    }
  }

  /** One partition: one request outstanding, rows of each stream in order. */
  private async lane(topic: string, partition: number, lane: { wake: () => void }): Promise<void> {
    let waitMs = BACK_OFF_MS.first;
    while (!this.signal.aborted) {
      const entries = [...this.readers.values()].filter(
        (entry) => entry.topic === topic && entry.partition === partition,
      );
      try {
        const readers = new Map(entries.map(({ reader }) => [reader.stream, reader]));
        const rows = await this.gather(entries);
        if (rows.length === 0) {
          await new Promise<void>((resolve) => {
            lane.wake = resolve;
            this.signal.addEventListener('abort', () => resolve(), { once: true });
            if (entries.some(({ reader }) => reader.waiting)) resolve();
          });
          continue;
        }
        await Promise.all(
          rows.map((row) =>
            this.sender.send(this.topics.nameOf(topic), partition, {
              key: row.stream,
              value: row.payload,
              headers: {
                [ROW_HEADERS.stream]: row.stream,
                [ROW_HEADERS.number]: String(row.number),
                [ROW_HEADERS.previousHash]: row.previousHash,
                [ROW_HEADERS.hash]: row.hash,
                ...this.seal?.ofRow(row),
              },
            }),
          ),
        );
        // A stream that is being resent has another reader, which is behind these rows.
        for (const row of rows) {
          const entry = this.reader(row.stream, 0);
          if (entry.reader === readers.get(row.stream)) entry.acked = row.number;
        }
        waitMs = BACK_OFF_MS.first;
      } catch (error) {
        if (!(error instanceof SendFailed))
          this.logger.warn(
            `rows for ${topic}/${partition} of ${this.database.schema} could not be read: ${(error as Error).message}`,
          );
        // Rows under way are sent again from the outbox: readers drop duplicates, but a loss would stop them.
        for (const entry of entries) {
          this.kept -= entry.reader.size;
          const reached = entry.reader.reached;
          entry.reader = new StreamReader(entry.reader.stream, { number: entry.acked, hash: null });
          entry.reader.reaches(reached);
        }
        await delay(waitMs, this.signal);
        waitMs = Math.min(waitMs * 2, BACK_OFF_MS.most);
      }
    }
  }

  private async gather(entries: readonly { reader: StreamReader }[]): Promise<OutboxRow[]> {
    const rows: OutboxRow[] = [];
    for (const { reader } of entries) {
      while (rows.length < SEND_ROWS && reader.waiting) {
        const { missing } = reader;
        if (missing !== null) {
          const fetched = await this.database.rowsOf(reader.stream, missing, FETCH_ROWS);
          // The row may have been delivered meanwhile, so that it is no longer missing.
          if (fetched[0]?.number !== missing) reader.stop(missing, 'it is not in the outbox');
          for (const row of fetched) if (reader.offer(row)) this.kept += 1;
        }
        const before = reader.size;
        const row = reader.next();
        this.kept -= before - reader.size;
        if (!row) break;
        rows.push(row);
      }
      if (reader.fault)
        this.alarms.raise(`relay:${reader.stream}`, `stopped before #${reader.fault.number}: ${reader.fault.reason}`);
    }
    return rows;
  }

  private async saveNowAndThen(): Promise<void> {
    while (!this.signal.aborted) {
      await delay(CURSOR_MS, this.signal);
      await this.saveCursors();
    }
  }

  /** Cursors as they are stored: while rows are sent again, those of before, so that a restart does so again. */
  private readonly saved = new Map<string, number>();
  private async saveCursors(): Promise<void> {
    const cursors = new Map<string, RelayCursor>();
    for (const [stream, entry] of this.readers) {
      const { topic, partition, acked: sent, isLost } = entry;
      if (isLost || sent <= (this.saved.get(stream) ?? 0)) continue;
      // Records of before a clock was set back are later than those behind them: by the new time the log would seem to
      // have begun again, and would be sent again at each start.
      entry.sentAt = Math.max(entry.sentAt, Date.now());
      cursors.set(stream, {
        sent,
        kafkaEnd: this.sender.endOf(this.topics.nameOf(topic), partition),
        sentAt: entry.sentAt,
      });
    }
    if (cursors.size === 0) return;
    try {
      await this.database.tables.streams.saveRelayed(cursors);
      // A stream that is being resent stores its number again.
      for (const [stream, { sent }] of cursors) if (this.reader(stream, 0).acked >= sent) this.saved.set(stream, sent);
    } catch (error) {
      this.logger.warn(
        `cursors of ${this.database.schema} could not be stored, rows may be sent again: ${(error as Error).message}`,
      );
    }
  }
}
