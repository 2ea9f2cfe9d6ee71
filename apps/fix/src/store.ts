import { open, mkdir, readFile, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Field } from './protocol/message.js';
import type { Order } from './orders/order.js';

/** A message of the application that was numbered; the session itself is not sent again, its numbers are skipped. */
export interface Stored {
  readonly seq: number;
  readonly type: string;
  /** When it was sent first. Ms. */
  readonly at: number;
  readonly body: readonly Field[];
}

/** A change of the state: all of it is on the disk, or nothing. */
export interface Change {
  /** All numbers start at one, and no message is kept. */
  readonly reset?: true;
  /** The next number to send. */
  readonly nextOut?: number;
  readonly sent?: readonly Stored[];
  /** The next number to receive: everything before it is done. */
  readonly nextIn?: number;
  /** Numbers behind it that are done already. */
  readonly doneAhead?: readonly number[];
  /** Number of the last private event of the exchange that was reported. */
  readonly userSeq?: number;
  readonly orders?: readonly Order[];
  /** Requests under way that belong to an order, by its first name: the name of the request, or null when it ended. */
  readonly requests?: Readonly<Record<string, Request | null>>;
  /** Names (ClOrdID) of mass cancels, with the time of each. Ms. */
  readonly massCancels?: Readonly<Record<string, number>>;
}
export interface Request {
  readonly kind: 'place' | 'cancel' | 'replace';
  /** ClOrdID of the request. */
  readonly name: string;
}

/** Messages that are kept to be sent again; older ones are skipped. */
const MESSAGES_MAX = 10_000;
/**
 * Orders that ended, and mass cancels, are known for as long as their names are taken at the exchange (7 days), and at
 * most so many.
 */
const ENDED_MAX = 20_000;
const ENDED_MS = 7 * 86_400_000;
/** Growth after which the file is written again as a whole. Bytes. */
const GROWTH_MAX = 8 * 1024 ** 2;

/**
 * The state of one session in one file of lines, each a change. A message is sent when its line is on the disk, so that
 * no number is ever used for another message. A last line that a crash cut off was sent to nobody, and is dropped.
 */
export class SessionStore {
  nextIn = 1;
  nextOut = 1;
  doneAhead: readonly number[] = [];
  userSeq: number | null = null;
  readonly messages = new Map<number, Stored>();
  /** By id. */
  readonly orders = new Map<string, Order>();
  /** Ids of orders by all the names (ClOrdID) that they ever had. */
  readonly names = new Map<string, string>();
  readonly requests = new Map<string, Request>();
  readonly massCancels = new Map<string, number>();
  private readonly queue: { line: string; isDurable: boolean; settle: (error?: unknown) => void }[] = [];
  private writing: Promise<void> | undefined;
  private failure: unknown;
  private bytes = 0;

  private constructor(
    private readonly file: string,
    private handle: FileHandle,
  ) {}

  /** @throws Error when the file is damaged before its last line */
  static async open(file: string, now: number): Promise<SessionStore> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return '';
    });
    const store = new SessionStore(file, await open(file, 'a', 0o600));
    const lines = text.split('\n');
    // Text after the last line feed is a line that was not written to its end.
    for (const [at, line] of lines.slice(0, -1).entries()) {
      try {
        store.apply(JSON.parse(line) as Change);
      } catch (error) {
        await store.handle.close();
        throw new Error(`${file} is damaged in line ${at + 1}`, { cause: error });
      }
    }
    store.prune(now);
    await store.rewrite();
    return store;
  }

  /**
   * Applies a change at once, and settles when it is on the disk. Changes of which a crash may lose the last are not
   * durable: they are written, and not waited for.
   */
  append(change: Change, { isDurable = true }: { readonly isDurable?: boolean } = {}): Promise<void> {
    this.apply(change);
    const line = `${JSON.stringify(change)}\n`;
    return new Promise((resolve, reject) => {
      const settle = (error?: unknown): void => {
        if (error === undefined) resolve();
        else reject(error as Error);
      };
      if (this.failure !== undefined) return settle(this.failure);
      this.queue.push({ line, isDurable, settle });
      this.writing ??= this.write();
    });
  }

  async close(): Promise<void> {
    await this.writing;
    await this.handle.close();
  }

  /** Writes what has gathered with one flush; the changes settle in their order. */
  private async write(): Promise<void> {
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0);
      try {
        const text = batch.map(({ line }) => line).join('');
        await this.handle.appendFile(text);
        if (batch.some(({ isDurable }) => isDurable)) await this.handle.datasync();
        this.bytes += text.length;
        if (this.bytes > GROWTH_MAX && this.queue.length === 0) {
          this.prune(Date.now());
          await this.rewrite();
        }
      } catch (error) {
        // The content of the disk is not known: nothing more is sent from this state.
        this.failure = error;
      }
      for (const { settle } of batch) settle(this.failure);
    }
    this.writing = undefined;
  }

  private apply(change: Change): void {
    if (change.reset) {
      this.nextIn = 1;
      this.nextOut = 1;
      this.doneAhead = [];
      this.messages.clear();
    }
    for (const message of change.sent ?? []) this.messages.set(message.seq, message);
    this.nextOut = change.nextOut ?? this.nextOut;
    this.nextIn = change.nextIn ?? this.nextIn;
    this.doneAhead = change.doneAhead ?? this.doneAhead;
    this.userSeq = change.userSeq ?? this.userSeq;
    for (const order of change.orders ?? []) {
      this.orders.set(order.id, order);
      for (const name of order.names) this.names.set(name, order.id);
    }
    for (const [root, request] of Object.entries(change.requests ?? {}))
      if (request) this.requests.set(root, request);
      else this.requests.delete(root);
    for (const [name, at] of Object.entries(change.massCancels ?? {})) this.massCancels.set(name, at);
    while (this.messages.size > MESSAGES_MAX) this.messages.delete(this.messages.keys().next().value ?? 0);
  }

  private prune(now: number): void {
    const ended = [...this.orders.values()].filter(({ status }) => status === 2).toSorted((a, b) => b.at - a.at);
    for (const [at, order] of ended.entries()) {
      if (at < ENDED_MAX && now - order.at < ENDED_MS) continue;
      this.orders.delete(order.id);
      for (const name of order.names) this.names.delete(name);
    }
    for (const [name, at] of this.massCancels)
      if (now - at >= ENDED_MS || this.massCancels.size > ENDED_MAX) this.massCancels.delete(name);
  }

  /** Writes the state as a file of its own, which takes the place of the file in one step. */
  private async rewrite(): Promise<void> {
    const all: Change[] = [
      {
        nextOut: this.nextOut,
        nextIn: this.nextIn,
        doneAhead: this.doneAhead,
        requests: Object.fromEntries(this.requests),
        massCancels: Object.fromEntries(this.massCancels),
        ...(this.userSeq === null ? {} : { userSeq: this.userSeq }),
      },
      ...[...this.orders.values()].map((order) => ({ orders: [order] })),
      ...[...this.messages.values()].map((message) => ({ sent: [message] })),
    ];
    const next = await open(`${this.file}.new`, 'w', 0o600);
    await next.writeFile(all.map((change) => `${JSON.stringify(change)}\n`).join(''));
    await next.sync();
    await rename(`${this.file}.new`, this.file);
    const folder = await open(dirname(this.file), 'r');
    await folder.sync();
    await folder.close();
    await this.handle.close();
    this.handle = next;
    this.bytes = 0;
  }
}
