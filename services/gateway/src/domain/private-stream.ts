/** One private event as it went out. */
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

const KEEP_MS = 24 * 3_600_000;
const KEEP_MAX = 1_000;

/**
 * Private events of each user, numbered without gaps. After a start numbers resume at `epoch`, a time, which is higher
 * than any number given before: clients see the gap, and what they ask for then is not complete.
 */
export class PrivateStreams {
  private readonly users = new Map<number, { seq: number; events: NumberedEvent[] }>();

  constructor(private readonly epoch: number) {}

  /** Number of the user's last event. */
  seqOf(userId: number): number {
    return this.users.get(userId)?.seq ?? this.epoch;
  }

  /** Numbers an event and keeps it. */
  add(userId: number, event: string, payload: Readonly<Record<string, unknown>>, at: number): NumberedEvent {
    const user = this.users.get(userId) ?? { seq: this.epoch, events: [] };
    this.users.set(userId, user);
    user.seq += 1;
    const numbered: NumberedEvent = {
      event,
      userSeq: user.seq,
      at,
      payload: { ...payload, ts: at, user_seq: user.seq },
    };
    user.events.push(numbered);
    if (user.events.length > KEEP_MAX) user.events.splice(0, user.events.length - KEEP_MAX);
    return numbered;
  }

  /** Events after `userSeq`; `complete` is false when some of them are gone or were never numbered here. */
  since(userId: number, userSeq: number, now: number): Since {
    const user = this.users.get(userId);
    const seq = user?.seq ?? this.epoch;
    const kept = (user?.events ?? []).filter((event) => event.at >= now - KEEP_MS);
    const oldest = kept[0]?.userSeq ?? seq + 1;
    return {
      events: kept.filter((event) => event.userSeq > userSeq),
      userSeq: seq,
      complete: userSeq <= seq && userSeq >= oldest - 1,
    };
  }

  /** Drops users whose newest event is too old to be asked for. */
  sweep(now: number): void {
    // The number must outlive the events: it may not fall back to the epoch while this process runs.
    for (const user of this.users.values()) if ((user.events.at(-1)?.at ?? now) < now - KEEP_MS) user.events = [];
  }
}
