import type { Bar, Period, SpotFill, SpotOrder } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { formatUnits, toUnits } from '@bourse/money';
import { PracticeFeed } from './practice-feed.js';
import { PracticeMarket } from './practice-market.js';
import { PracticeRefusal, type PracticeFields } from './practice-order.js';
import type { PracticeCommand, PracticeRecord } from './practice-record.js';
import { DAY_MS, MINUTE_MS, minuteOf, type RecordedDay } from './prints.js';
import { barsAt, presentBar } from './replay-candles.js';
import { advance, seek, type ReplayClock, type Speed } from './replay-clock.js';
import { resultOf, type PracticeResult } from './result.js';

/** The state of a practice for React. */
export interface PracticeView {
  readonly clock: ReplayClock;
  readonly ended: boolean;
  readonly last: string;
  readonly quote: string;
  readonly base: string;
  readonly open: readonly SpotOrder[];
  readonly done: readonly SpotOrder[];
  /** Newest first. */
  readonly fills: readonly SpotFill[];
  readonly result: PracticeResult;
  /** The day may only be set forward once something was done in it. */
  readonly isUntouched: boolean;
}

/** One practice: the clock, the market of the day, and the acts of the person in it. */
export class PracticeSession {
  practice: PracticeMarket;
  /** A new one after each jump: panels that hold what was before it begin again. */
  feed: PracticeFeed;
  private clock: ReplayClock;
  private ended: boolean;
  private commands: PracticeCommand[] = [];
  private view: PracticeView;
  private readonly listeners = new Set<() => void>();
  readonly end: number;
  /** How often another moment was chosen. */
  jumps = 0;

  constructor(
    private readonly record: PracticeRecord,
    private readonly day: RecordedDay,
    private readonly minutes: readonly Bar[],
    private readonly keep: (record: PracticeRecord) => void,
  ) {
    this.end = day.start + DAY_MS;
    this.practice = this.fresh();
    this.repeat(record.commands);
    this.practice.runTo(record.at);
    this.clock = { at: record.at, speed: record.speed, isRunning: false };
    this.ended = record.ended;
    this.feed = new PracticeFeed(this.practice);
    this.view = this.look();
  }

  get terms(): PracticeRecord['terms'] {
    return this.record.terms;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly snapshot = (): PracticeView => this.view;

  /** Lets real time pass. */
  pass(realMs: number): void {
    if (!this.clock.isRunning || this.ended) return;
    this.clock = advance(this.clock, realMs, this.end);
    this.practice.runTo(this.clock.at);
    if (this.clock.at >= this.end) return this.finish();
    this.feed.publish((period) => this.presentBar(period));
    this.tell();
  }

  toggle(): void {
    if (this.ended) return;
    this.clock = { ...this.clock, isRunning: !this.clock.isRunning };
    this.changed();
  }

  setSpeed(speed: Speed): void {
    this.clock = { ...this.clock, speed };
    this.changed();
  }

  /** Jumps to another moment of the day; backwards only while nothing was done. */
  seek(to: number): void {
    if (this.ended) return;
    if (to < this.clock.at && this.commands.length === 0) this.practice = this.fresh();
    const earliest = this.commands.length === 0 ? this.day.start : this.clock.at;
    this.clock = seek(this.clock, to, earliest, this.end);
    this.practice.runTo(this.clock.at);
    this.feed = new PracticeFeed(this.practice);
    this.jumps += 1;
    if (this.clock.at >= this.end) this.finish();
    else this.changed();
  }

  /** @throws PracticeRefusal */
  place(fields: PracticeFields): SpotOrder {
    return this.act({ kind: 'place', at: this.clock.at, fields }, () => this.practice.place(fields));
  }
  cancel(id: string): void {
    this.act({ kind: 'cancel', at: this.clock.at, id }, () => this.practice.cancel(id));
  }
  /** Places another order for a waiting stop of its side. @throws PracticeRefusal; the stop then stays as it was */
  replace(id: string, fields: PracticeFields): void {
    this.practice.checkReplacement(id, fields);
    this.cancel(id);
    this.place(fields);
  }
  /** @throws PracticeRefusal */
  move(id: string, price: string): void {
    this.act({ kind: 'move', at: this.clock.at, id, price }, () => this.practice.move(id, price));
  }

  /** Ends the day where it is. */
  finish(): void {
    this.ended = true;
    this.clock = { ...this.clock, isRunning: false };
    this.changed();
  }

  /** Keeps its present state. */
  save(): void {
    const { at, speed } = this.clock;
    this.keep({ ...this.record, at, speed, ended: this.ended, commands: this.commands });
  }

  /** Bars of an interval as they are known now. */
  barsAt(period: Period, history: readonly Bar[]): Bar[] {
    const present = presentBar(
      this.clock.at,
      this.day.prints,
      this.practice.printed,
      this.practice.last,
      this.practice.market,
    );
    return barsAt(period, this.clock.at, { start: this.day.start, history, minutes: this.minutes, present });
  }

  private presentBar(period: Period): Record<string, unknown> | undefined {
    const bar = this.barsAt(period, []).at(-1);
    return bar && { ...bar };
  }

  private fresh(): PracticeMarket {
    return new PracticeMarket(this.record.terms, this.day, toUnits(this.record.start, COIN_SCALE));
  }

  private repeat(commands: readonly PracticeCommand[]): void {
    for (const command of commands) {
      this.practice.runTo(command.at);
      try {
        if (command.kind === 'place') this.practice.place(command.fields);
        else if (command.kind === 'cancel') this.practice.cancel(command.id);
        else this.practice.move(command.id, command.price);
      } catch (error) {
        // A record that no longer fits its day: what can be repeated is.
        if (!(error instanceof PracticeRefusal)) throw error;
        continue;
      }
      this.commands.push(command);
    }
  }

  private act<T>(command: PracticeCommand, run: () => T): T {
    const outcome = run();
    this.commands.push(command);
    this.feed.publish((period) => this.presentBar(period));
    this.changed();
    return outcome;
  }

  private changed(): void {
    this.save();
    this.tell();
  }

  private tell(): void {
    this.view = this.look();
    for (const listener of this.listeners) listener();
  }

  private look(): PracticeView {
    const { practice, clock, ended } = this;
    const { market, account } = practice;
    const before = this.view as PracticeView | undefined;
    const isSame = before !== undefined && this.shownRevision === practice.revision;
    this.shownRevision = practice.revision;
    const isNewMinute = before === undefined || minuteOf(before.clock.at) !== minuteOf(clock.at);
    return {
      clock,
      ended,
      last: formatUnits(BigInt(practice.last), market.priceScale),
      quote: formatUnits(account.free.quote, market.quoteScale),
      base: formatUnits(account.free.base, market.baseScale),
      open: isSame ? before.open : practice.open,
      done: isSame ? before.done : practice.done,
      fills: isSame ? before.fills : [...practice.fills].reverse(),
      result: isSame && !isNewMinute && !ended ? before.result : resultOf(practice),
      isUntouched: this.commands.length === 0,
    };
  }
  private shownRevision = -1;
}

/** The start of each hour of a day. */
export const hoursOf = (start: number): number[] =>
  Array.from({ length: 24 }, (_, hour) => start + hour * 60 * MINUTE_MS);
