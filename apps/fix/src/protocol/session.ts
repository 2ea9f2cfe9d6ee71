import type { Change, SessionStore, Stored } from '../store.js';
import { encode, integerOf, millisOf, timeOf, type Field, type Message } from './message.js';
import { REJECTED, TAG, TYPE } from './tags.js';

/** The part of a connection that a session uses. */
export interface Connection {
  write(text: string): void;
  /** Ends it after what was written. */
  end(): void;
  /** Whether messages of the other side wait to be read. */
  hasUnread(): boolean;
}
/** The CompIDs of both sides. */
interface Parties {
  readonly own: string;
  readonly other: string;
}
export interface SessionOptions {
  readonly parties: Parties;
  readonly store: SessionStore;
  readonly now: () => number;
  /** A message of the application in its turn; `isRepeat`: it may have been received before. */
  readonly onMessage: (message: Message, isRepeat: boolean) => Promise<void>;
  /** The connection ended; `isFarewell`: the other side has logged out. */
  readonly onEnd: (isFarewell: boolean) => void;
  /** A message could not be stored: nothing more may be sent. */
  readonly onFailure: (error: unknown) => void;
}

/** How far the time of a message may be from ours. Ms. */
const SENDING_TIME_MS = 120_000;
/** How long a resend that was asked for may take until it is asked for again. Ms. */
const RESEND_MS = 10_000;
/**
 * How far a gap fill may reach beyond the highest number that was received. The other side fills up to its next number,
 * which passes the last one that arrived by what is on its way: far less than this. A larger number is a mistake, which
 * would make all messages until that number too low.
 */
const GAP_FILL_MAX = 10_000;
/** Parts of the heartbeat interval of silence after which a test is requested, and the connection is given up. */
const SILENCE = { test: 1.2, end: 2.4 };
const TYPES_OF_SESSION: readonly string[] = [
  TYPE.Heartbeat,
  TYPE.TestRequest,
  TYPE.ResendRequest,
  TYPE.Reject,
  TYPE.SequenceReset,
  TYPE.Logout,
  TYPE.Logon,
];

/**
 * One session of FIX 4.4, the side that accepts: numbers, resends, heartbeats. It outlives its connections; what is
 * sent while there is none is stored, and the other side asks for it when it sees the gap.
 */
export class FixSession {
  private connection: Connection | undefined;
  private heartbeatMs = 30_000;
  /** The number that is expected next; what is done of those before is in the store. */
  private expected: number;
  private lastSentAt = 0;
  private lastReceivedAt = 0;
  private testRequestedAt: number | undefined;
  /** Last number that is on the disk, and so may be sent. */
  private durable: number;
  private asked: { upTo: number; at: number } | undefined;
  /** Numbers of the session and of gap fills that are done: the number after each stretch, by its first one. */
  private readonly skipped = new Map<number, number>();
  /** The Logout of this connection, once it was decided: all who end the connection wait until it is written. */
  private farewell: Promise<void> | undefined;
  /** Whether our Logon was sent on this connection: nothing comes before it. */
  private isOpen = false;
  /** Counts the resets: a message of before is not done in the numbers of after. */
  private era = 0;
  private readonly eras = new WeakMap<Message, number>();

  constructor(private readonly options: SessionOptions) {
    this.expected = options.store.nextIn;
    this.durable = options.store.nextOut - 1;
  }

  /** Whether this is its connection. */
  isOn(connection: Connection): boolean {
    return this.connection === connection;
  }

  /** Ends the connection without a word. */
  cut(): void {
    this.finish(false);
  }

  /** Starts over with number one in both directions; what was sent before is forgotten. */
  async reset(): Promise<void> {
    this.era += 1;
    this.asked = undefined;
    this.skipped.clear();
    this.expected = 1;
    await this.options.store.append({ reset: true });
    this.durable = 0;
  }

  /**
   * Takes a connection whose Logon was accepted, and answers it.
   *
   * @returns false when the number of the Logon is too low; then the session has said so and ended the connection
   */
  async accept(connection: Connection, logon: Message, heartbeatSeconds: number): Promise<boolean> {
    const { store, now } = this.options;
    const isReset = logon.isSet(TAG.ResetSeqNumFlag);
    this.connection = connection;
    this.farewell = undefined;
    this.isOpen = false;
    this.heartbeatMs = heartbeatSeconds * 1_000;
    this.lastReceivedAt = now();
    this.lastSentAt = now();
    this.testRequestedAt = undefined;
    this.asked = undefined;
    this.skipped.clear();
    this.expected = store.nextIn;
    const { seq } = logon;
    if (seq < this.expected) {
      await this.leave(`MsgSeqNum too low, expecting ${this.expected} but received ${seq}`);
      return false;
    }
    await this.sendAdmin(TYPE.Logon, [
      [TAG.EncryptMethod, '0'],
      [TAG.HeartBtInt, String(heartbeatSeconds)],
      ...(isReset ? [[TAG.ResetSeqNumFlag, 'Y'] as const] : []),
    ]);
    if (seq > this.expected) await this.askAgain(seq);
    else this.consumeAdmin(seq);
    return true;
  }

  /** Sends a message of the application, or stores it; together with a change of the state. */
  send(type: string, body: readonly Field[], change: Change = {}): Promise<void> {
    return this.sendAll([{ type, body }], change);
  }

  /** Sends messages that belong together, or stores them: all of them and the change, or nothing, outlive a crash. */
  sendAll(messages: readonly { type: string; body: readonly Field[] }[], change: Change = {}): Promise<void> {
    const { store, now } = this.options;
    const at = now();
    const sent = messages.map(({ type, body }, index): Stored => ({ seq: store.nextOut + index, type, at, body }));
    return this.commit(sent, {
      ...change,
      ...(sent.length === 0 ? {} : { sent, nextOut: store.nextOut + sent.length }),
    });
  }

  /** The change that says that a message is done: its number need not come again. */
  doneChange(message: Message): Change {
    return this.eras.get(message) === this.era ? this.doneWith([message.seq]) : {};
  }

  private doneWith(seqs: readonly number[]): Change {
    const { store } = this.options;
    const done = new Set([...store.doneAhead, ...seqs]);
    let next = store.nextIn;
    for (let past; (past = this.skipped.get(next) ?? (done.has(next) ? next + 1 : undefined)) !== undefined;) {
      this.skipped.delete(next);
      next = past;
    }
    return { nextIn: next, doneAhead: [...done].filter((one) => one > next) };
  }

  /** A message of the connection. */
  async receive(message: Message): Promise<void> {
    const { parties, now } = this.options;
    this.lastReceivedAt = now();
    this.testRequestedAt = undefined;
    const { seq, type } = message;
    if (message.get(TAG.SenderCompID) !== parties.other || message.get(TAG.TargetCompID) !== parties.own) {
      await this.reject(message, TAG.SenderCompID, REJECTED.compId, 'CompID problem');
      return this.leave('CompID problem');
    }
    if (Number.isNaN(seq)) return this.leave('MsgSeqNum is missing');
    if (type === TYPE.SequenceReset && !message.isSet(TAG.GapFillFlag)) return this.onReset(message);
    if (seq > this.expected) return this.onGap(message);
    if (seq < this.expected) {
      if (message.isSet(TAG.PossDupFlag)) return;
      return this.leave(`MsgSeqNum too low, expecting ${this.expected} but received ${seq}`);
    }
    const sentAt = millisOf(message.get(TAG.SendingTime));
    const isRepeat = message.isSet(TAG.PossDupFlag);
    if (sentAt === undefined || (!isRepeat && Math.abs(sentAt - now()) > SENDING_TIME_MS)) {
      this.consumeAdmin(seq);
      await this.reject(message, TAG.SendingTime, REJECTED.sendingTime, 'SendingTime accuracy problem');
      return this.leave('SendingTime accuracy problem');
    }
    if (this.asked && seq >= this.asked.upTo) this.asked = undefined;
    if (TYPES_OF_SESSION.includes(type)) return this.onAdmin(message);
    this.expected += 1;
    // It was done before a crash, and its number not yet passed.
    if (this.options.store.doneAhead.includes(seq) || seq < this.options.store.nextIn) return;
    this.eras.set(message, this.era);
    await this.options.onMessage(message, isRepeat);
    await this.options.store.append(this.doneChange(message), { isDurable: false });
  }

  /** Says that a message was not taken; its number counts. */
  reject(message: Message, tag: number, reason: number, text: string): Promise<void> {
    return this.sendAdmin(TYPE.Reject, [
      [TAG.RefSeqNum, String(Number.isNaN(message.seq) ? 0 : message.seq)],
      [TAG.RefTagID, String(tag)],
      [TAG.RefMsgType, message.type],
      [TAG.SessionRejectReason, String(reason)],
      [TAG.Text, text],
    ]);
  }

  /** Heartbeats and tests that are due. */
  async tick(): Promise<void> {
    if (!this.connection) return;
    const at = this.options.now();
    // Its heartbeats may wait unread behind the requests under way: that is not silence.
    if (this.connection.hasUnread()) this.lastReceivedAt = at;
    const silence = at - this.lastReceivedAt;
    if (silence > this.heartbeatMs * SILENCE.end) return this.finish(false);
    if (silence > this.heartbeatMs * SILENCE.test && this.testRequestedAt === undefined) {
      this.testRequestedAt = at;
      await this.sendAdmin(TYPE.TestRequest, [[TAG.TestReqID, String(at)]]);
    } else if (at - this.lastSentAt >= this.heartbeatMs) await this.sendAdmin(TYPE.Heartbeat, []);
  }

  /** Logs out with a reason and ends the connection. */
  leave(reason: string): Promise<void> {
    return this.logout(reason, false);
  }

  /** The connection is gone. */
  drop(connection: Connection): void {
    if (this.connection === connection) this.finish(false);
  }

  private finish(isFarewell: boolean): void {
    const { connection } = this;
    if (!connection) return;
    this.connection = undefined;
    connection.end();
    this.options.onEnd(isFarewell);
  }

  private async onAdmin(message: Message): Promise<void> {
    const { seq, type } = message;
    if (type === TYPE.SequenceReset) return this.onGapFill(message);
    this.consumeAdmin(seq);
    switch (type) {
      case TYPE.TestRequest:
        return this.sendAdmin(TYPE.Heartbeat, [[TAG.TestReqID, message.get(TAG.TestReqID) ?? '']]);
      case TYPE.ResendRequest:
        return this.resend(message);
      case TYPE.Logout:
        return this.logout('', true);
      case TYPE.Logon:
        return this.leave('Logon within a session');
      default:
        return undefined;
    }
  }

  private async onGap(message: Message): Promise<void> {
    // Two engines that each miss something would wait for each other: a request is answered before its own gap.
    if (message.type === TYPE.ResendRequest) await this.resend(message);
    // A resend that is complete ends with a Logout in its turn.
    if (message.type === TYPE.Logout && this.asked === undefined) return this.logout('', true);
    await this.askAgain(message.seq);
  }

  private async askAgain(seq: number): Promise<void> {
    const at = this.options.now();
    if (this.asked && at - this.asked.at < RESEND_MS) {
      this.asked = { ...this.asked, upTo: Math.max(this.asked.upTo, seq) };
      return;
    }
    this.asked = { upTo: seq, at };
    await this.sendAdmin(TYPE.ResendRequest, [
      [TAG.BeginSeqNo, String(this.expected)],
      [TAG.EndSeqNo, '0'],
    ]);
  }

  private async onGapFill(message: Message): Promise<void> {
    const next = integerOf(message.get(TAG.NewSeqNo));
    const most = Math.max(message.seq, this.asked?.upTo ?? 0) + GAP_FILL_MAX;
    if (next === undefined || next <= message.seq || next > most) {
      this.consumeAdmin(message.seq);
      return this.reject(message, TAG.NewSeqNo, next === undefined ? REJECTED.missing : REJECTED.value, 'NewSeqNo');
    }
    this.consumeAdmin(message.seq, next);
    if (this.asked && next > this.asked.upTo) this.asked = undefined;
  }

  /** Without GapFillFlag the numbers go on at NewSeqNo, whatever was missed. */
  private async onReset(message: Message): Promise<void> {
    const next = integerOf(message.get(TAG.NewSeqNo));
    if (next === undefined || next < this.expected)
      return this.reject(message, TAG.NewSeqNo, next === undefined ? REJECTED.missing : REJECTED.value, 'NewSeqNo');
    this.expected = next;
    this.asked = undefined;
    this.skipped.clear();
    await this.options.store.append({ nextIn: next, doneAhead: [] });
  }

  /** A message of the session is done when it was received, and so are the numbers up to `next` that it skips. */
  private consumeAdmin(seq: number, next = seq + 1): void {
    this.expected = Math.max(this.expected, next);
    const { store } = this.options;
    if (next <= store.nextIn) return;
    this.skipped.set(Math.max(seq, store.nextIn), next);
    this.background(store.append(this.doneWith([]), { isDurable: false }));
  }

  /** Sends stored messages again; the numbers of the session between them are skipped. */
  private async resend(message: Message): Promise<void> {
    const from = integerOf(message.get(TAG.BeginSeqNo));
    const to = integerOf(message.get(TAG.EndSeqNo));
    if (from === undefined || to === undefined || from === 0)
      return this.reject(message, TAG.BeginSeqNo, REJECTED.missing, 'BeginSeqNo and EndSeqNo');
    const last = to === 0 ? this.durable : Math.min(to, this.durable);
    let gap: number | undefined;
    const skip = (next: number): void => {
      if (gap === undefined) return;
      this.put(
        gap,
        TYPE.SequenceReset,
        [
          [TAG.GapFillFlag, 'Y'],
          [TAG.NewSeqNo, String(next)],
        ],
        this.options.now(),
      );
      gap = undefined;
    };
    for (let seq = from; seq <= last; seq += 1) {
      const stored = this.options.store.messages.get(seq);
      if (!stored) gap ??= seq;
      else {
        skip(seq);
        this.put(seq, stored.type, stored.body, stored.at);
      }
    }
    skip(last + 1);
  }

  /** Writes a Logout, if none was decided, and ends the connection. */
  private async logout(reason: string, isFarewell: boolean): Promise<void> {
    const { connection } = this;
    if (!connection) return;
    this.farewell ??= this.sendAdmin(TYPE.Logout, reason === '' ? [] : [[TAG.Text, reason]]);
    await this.farewell;
    // Another connection may have taken its place.
    if (this.connection === connection) this.finish(isFarewell);
  }

  private sendAdmin(type: string, body: readonly Field[]): Promise<void> {
    const { store, now } = this.options;
    const one: Stored = { seq: store.nextOut, type, at: now(), body };
    return this.commit([one], { nextOut: one.seq + 1 }, { isAdmin: true });
  }

  /** Stores messages and writes them; those of the session only to the connection that they are meant for. */
  private async commit(
    messages: readonly Stored[],
    change: Change,
    { isAdmin = false }: { readonly isAdmin?: boolean } = {},
  ): Promise<void> {
    const { era, connection } = this;
    try {
      await this.options.store.append(change);
    } catch (error) {
      this.options.onFailure(error);
      throw error;
    }
    if (era !== this.era) return;
    for (const { seq, type, body } of messages) {
      this.durable = Math.max(this.durable, seq);
      if (!isAdmin || this.connection === connection) this.put(seq, type, body);
    }
  }

  /** Writes a message; with `first`, as one that was sent before, at that time. */
  private put(seq: number, type: string, body: readonly Field[], first?: number): void {
    const isFirst = type === TYPE.Logon || type === TYPE.Logout;
    if (!this.connection || !(this.isOpen || isFirst)) return;
    this.isOpen = true;
    const { parties, now } = this.options;
    const at = now();
    this.lastSentAt = at;
    this.connection.write(
      encode([
        [TAG.MsgType, type],
        [TAG.SenderCompID, parties.own],
        [TAG.TargetCompID, parties.other],
        [TAG.MsgSeqNum, String(seq)],
        [TAG.SendingTime, timeOf(at)],
        ...(first === undefined
          ? []
          : ([
              [TAG.PossDupFlag, 'Y'],
              [TAG.OrigSendingTime, timeOf(first)],
            ] as const)),
        ...body,
      ]),
    );
  }

  private background(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.options.onFailure(error));
  }
}
