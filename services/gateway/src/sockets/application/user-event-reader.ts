import { Injectable, Logger } from '@nestjs/common';
import { isPrivateEvent, PRIVATE_EVENTS, type PrivateEvent, type PrivateEventName } from '@bourse/contract';
import { decode, UserEventV1, type Message, type UserEvent } from '@bourse/events';
import { Fenced, LogReplaced, type Delivery, type LogMark, type Reading, type ReadPartition } from '@bourse/messaging';
import { Clock, spanBelow } from '@bourse/platform';
import { PrivateStreams, RecalledEvents } from '../domain/private-stream.js';
import { NotedNumbers, type LastRow, type Noted } from './noted-numbers.js';
import { PrivateEvents } from './private-events.js';

const BATCH = 500;
const NOTE_MS = 1_000;
const POLL_INTERVAL_MS = 100;
const RECALL_MS_MAX = 60_000;

type Row = Extract<Delivery, { kind: 'row' }>;
type KnownEvent = UserEvent & { readonly event: PrivateEventName; readonly trace: string | undefined };

/**
 * Takes private events from the log. An unreadable one is skipped with a line in the process's log: all its information
 * can be read by REST.
 */
@Injectable()
export class UserEventReader {
  private readonly logger = new Logger('UserEvents');

  constructor(
    private readonly events: PrivateEvents,
    private readonly numbers: NotedNumbers,
    private readonly clock: Clock,
  ) {}

  take(messages: readonly Message[]): void {
    for (const { userId, event, payload, trace } of this.known(messages)) {
      const span = trace === undefined ? undefined : spanBelow(trace, `push ${event}`, { kind: 'consumer' });
      this.events.add(userId, event, payload);
      span?.end();
    }
  }

  /**
   * Counts a partition from the position that the gateways have noted, if it is still the same log. Its progress is
   * noted regularly, by one gateway at a time.
   */
  async read(reading: Reading): Promise<void> {
    const { partition } = reading;
    const noted = await this.numbers.load(partition, this.clock.real());
    const streams = new PrivateStreams(noted.base, noted.seqs);
    for (const [userId, events] of (await this.recall(reading, noted)).users) streams.recall(userId, events);
    this.events.begin(partition, streams);
    const source = await reading.from(atLast(noted));
    const follower = new Follower(noted, source);
    let failure: Error | undefined;
    const end = (error: Error): void => {
      failure ??= error;
      void source.close();
    };
    const poll = setInterval(() => {
      if (!source.caughtUp()) return;
      clearInterval(poll);
      if (follower.isKnownLog) this.events.caughtUp(partition);
      else end(new LogReplaced('the log has not what was counted of it'));
    }, POLL_INTERVAL_MS);
    const note = setInterval(() => void this.note(partition, follower, streams).catch(end), NOTE_MS);
    try {
      for (;;) {
        for (const delivery of await source.take(BATCH))
          if (delivery.kind === 'row' && follower.counts(delivery)) this.take(delivery.messages);
      }
    } catch (thrown) {
      const error = failure ?? thrown;
      if (!(error instanceof LogReplaced)) throw error;
      this.logger.warn(`private events of partition ${partition} are numbered again: ${error.message}`);
      await this.numbers.beginAnew(partition, noted.era, this.clock.real());
    } finally {
      clearInterval(poll);
      clearInterval(note);
      await source.close();
      if (reading.signal.aborted) await this.numbers.release();
    }
  }

  /** Throws only `EraEnded`. */
  private async note(partition: number, follower: Follower, streams: PrivateStreams): Promise<void> {
    if (follower.isNoting) return;
    follower.isNoting = true;
    let seqs: [number, number][] = [];
    try {
      if ((await this.numbers.eraOf(partition)) !== follower.era) throw new EraEnded('other gateways number again');
      if (!follower.toNote()) return;
      let offset: string | null = null;
      const isNoted = await this.numbers.note(partition, () => {
        const state = follower.toNote()!;
        seqs = streams.takeChanged();
        offset = state.mark.offset;
        return { era: follower.era, ...state, seqs };
      });
      if (isNoted) follower.notedTo = offset;
      else streams.giveBack(seqs);
    } catch (error) {
      if (error instanceof EraEnded) throw error;
      // An unavailable database does not stop the counting.
      streams.giveBack(seqs);
      this.logger.warn(`numbers of private events were not noted: ${String(error)}`);
    } finally {
      follower.isNoting = false;
    }
  }

  /** The newest events that were counted already; none if the log differs. */
  private async recall(reading: Reading, { before, mark }: Noted): Promise<RecalledEvents> {
    const recalled = new RecalledEvents();
    if (!before || mark.offset === null) return recalled;
    const source = await reading.from(before, { quiet: true });
    const until = performance.now() + RECALL_MS_MAX;
    const poll = setInterval(() => {
      if (source.caughtUp() || performance.now() > until) void source.close();
    }, POLL_INTERVAL_MS);
    try {
      while (!reaches(source, mark))
        for (const delivery of await source.take(1)) if (delivery.kind === 'row') this.recallRow(recalled, delivery);
    } catch (error) {
      if (reading.signal.aborted) throw error;
      this.logger.warn(`private events could not be recalled: ${(error as Error).message}`);
    } finally {
      clearInterval(poll);
      await source.close();
    }
    return isSame(source.mark(), mark) ? recalled : new RecalledEvents();
  }

  private recallRow(recalled: RecalledEvents, { messages, at }: Row): void {
    for (const { userId, event, payload } of this.known(messages))
      if (isNumbered(event)) recalled.add(userId, { event, payload, at: at ?? this.clock.real() });
  }

  private *known(messages: readonly Message[]): Generator<KnownEvent> {
    for (const message of messages) {
      const decoded = decode(UserEventV1, message);
      if (!decoded.ok) this.logger.error(`a private event was skipped: ${decoded.error}`);
      else if (!isPrivateEvent(decoded.body.event))
        this.logger.error(`a private event was skipped: unknown event ${decoded.body.event}`);
      else yield { ...decoded.body, event: decoded.body.event, trace: message.trace };
    }
  }
}

/** Numbering restarted elsewhere: this process loads the new numbers. */
class EraEnded extends Fenced {}

/** Progress of one reader, and whether it reads the log that was counted. */
class Follower {
  readonly era: number;
  private last: LastRow | null = null;
  private expected: LastRow | null;
  notedTo: string | null;
  isNoting = false;

  constructor(
    noted: Noted,
    private readonly source: ReadPartition,
  ) {
    this.era = noted.era;
    this.expected = noted.last;
    this.notedTo = noted.mark.offset;
  }

  /** Whether the last counted row, if any, was found at its place. */
  get isKnownLog(): boolean {
    return this.expected === null;
  }

  /** Whether a row is still to be counted. The first row was counted already, and must equal the noted one. */
  counts({ row: { stream, number, hash } }: Row): boolean {
    const { expected } = this;
    if (expected) {
      if (stream !== expected.stream || number !== expected.number || hash !== expected.hash)
        throw new LogReplaced(`${stream} #${number} is where ${expected.stream} #${expected.number} was`);
      this.expected = null;
      return false;
    }
    this.last = { stream, number, hash };
    return true;
  }

  /** The progress to note; null: nothing new. */
  toNote(): { mark: LogMark & { offset: string }; last: LastRow } | null {
    const mark = this.source.mark();
    const { offset } = mark;
    if (!this.last || offset === null || offset === this.notedTo) return null;
    return { mark: { ...mark, offset }, last: this.last };
  }
}

const isNumbered = (event: PrivateEventName): boolean => (PRIVATE_EVENTS[event] as PrivateEvent).lane === 'numbered';

/** The noted mark, one record earlier: the last counted row is read again and proves that it is the same log. */
function atLast({ mark, last }: Noted): LogMark {
  if (!last || mark.offset === null) return mark;
  return {
    offset: String(BigInt(mark.offset) - 1n),
    positions: new Map([...mark.positions, [last.stream, { number: last.number - 1, hash: null }]]),
  };
}

const reaches = (source: ReadPartition, { offset }: LogMark): boolean =>
  BigInt(source.mark().offset ?? 0) >= BigInt(offset ?? 0);

function isSame(one: LogMark, other: LogMark): boolean {
  return (
    one.offset === other.offset &&
    [...other.positions].every(([stream, { number }]) => (one.positions.get(stream)?.number ?? 0) === number)
  );
}
