/** One private event as sent. */
export interface NumberedEvent {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly userSeq: number;
  readonly at: number;
}
export interface Since {
  readonly events: readonly NumberedEvent[];
  readonly userSeq: number;
  readonly complete: boolean;
}
/** An event without its number, which follows from its position. */
export type KeptEvent = Omit<NumberedEvent, 'userSeq'>;

const KEEP_MS = 24 * 3_600_000;
const KEEP_MAX = 1_000;

interface UserStream {
  /** Number of the newest event. */
  seq: number;
  /** The newest events without a gap, oldest first: the last one has the number `seq`. */
  events: KeptEvent[];
}

/**
 * Private events of each user, numbered without gaps from `base` on: a time, which is higher than any number given
 * before it was chosen. Clients with an older number see the gap, and the events that they then request are not
 * complete.
 */
export class PrivateStreams {
  private readonly users: Map<number, UserStream>;
  private changed = new Set<number>();

  /** `seqs` are the numbers of users who had events since the base was chosen. */
  constructor(
    private readonly base: number,
    seqs: Iterable<readonly [number, number]> = [],
  ) {
    this.users = new Map([...seqs].map(([userId, seq]) => [userId, { seq, events: [] }]));
  }

  /** Number of the user's last event. */
  seqOf(userId: number): number {
    return this.users.get(userId)?.seq ?? this.base;
  }

  /** Numbers an event and keeps it. */
  add(userId: number, event: string, payload: Readonly<Record<string, unknown>>, at: number): NumberedEvent {
    const user = this.users.get(userId) ?? { seq: this.base, events: [] };
    this.users.set(userId, user);
    user.seq += 1;
    this.changed.add(userId);
    keep(user.events, { event, payload, at });
    return numbered({ event, payload, at }, user.seq);
  }

  /** Keeps events that were numbered already, oldest first: the newest one of each user has the user's number. */
  recall(userId: number, events: readonly KeptEvent[]): void {
    const user = this.users.get(userId);
    if (user) user.events = events.slice(-Math.min(KEEP_MAX, user.seq - this.base));
  }

  /** Events after `userSeq`; `complete` is false when some of them are no longer kept or were never numbered here. */
  since(userId: number, userSeq: number, now: number): Since {
    const user = this.users.get(userId);
    const seq = user?.seq ?? this.base;
    const events = user?.events ?? [];
    const oldest = seq - events.length + 1;
    const young = events.findIndex(({ at }) => at >= now - KEEP_MS);
    const from = young < 0 ? seq + 1 : oldest + young;
    const first = Math.max(from, userSeq + 1);
    return {
      events: events.slice(Math.max(0, first - oldest)).map((event, index) => numbered(event, first + index)),
      userSeq: seq,
      complete: userSeq <= seq && userSeq >= from - 1,
    };
  }

  /** Users with new numbers since the last call, with them. */
  takeChanged(): [number, number][] {
    const taken = [...this.changed].map((userId): [number, number] => [userId, this.seqOf(userId)]);
    this.changed = new Set();
    return taken;
  }

  /** Marks users as changed again, because their numbers could not be noted. */
  giveBack(users: readonly (readonly [number, number])[]): void {
    for (const [userId] of users) this.changed.add(userId);
  }

  /** Drops the events of users whose newest event is too old to be requested. */
  sweep(now: number): void {
    // The number must outlive the events: it may not fall back to the base while this process runs.
    for (const user of this.users.values()) if ((user.events.at(-1)?.at ?? now) < now - KEEP_MS) user.events = [];
  }
}

/** The newest events of each user in a part of the log, before they get their numbers. */
export class RecalledEvents {
  readonly users = new Map<number, KeptEvent[]>();

  add(userId: number, event: KeptEvent): void {
    const events = this.users.get(userId) ?? [];
    this.users.set(userId, events);
    keep(events, event);
  }
}

function keep(events: KeptEvent[], event: KeptEvent): void {
  events.push(event);
  if (events.length > KEEP_MAX) events.splice(0, events.length - KEEP_MAX);
}

const numbered = ({ event, payload, at }: KeptEvent, userSeq: number): NumberedEvent => ({
  event,
  userSeq,
  at,
  payload: { ...payload, ts: at, user_seq: userSeq },
});
