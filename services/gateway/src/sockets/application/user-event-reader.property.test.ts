import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { userEvent, type Message } from '@bourse/events';
import { Fenced, LogReplaced, type Delivery, type Log, type LogMark, type ReadPartition } from '@bourse/messaging';
import { Readiness, type Clock } from '@bourse/platform';
import type { Latency } from '../../shared/application/latency.js';
import { NotedNumbers, type Noted, type ToNote } from './noted-numbers.js';
import { PrivateEvents } from './private-events.js';
import { UserEventReader } from './user-event-reader.js';

type Row = Extract<Delivery, { kind: 'row' }>;
const NOW = 1_000_000;
const NOTED_MS = 1_100;
const USERS = [7, 8];

/** A log in memory: rows by offset, with repeats, as Kafka has them. */
class MemoryLog {
  records: Row[] = [];
  readonly open = new Set<{ replace(): void; wake(): void }>();

  append(...rows: readonly Row[]): void {
    this.records.push(...rows);
    for (const reader of this.open) reader.wake();
  }
  /** Another log takes its place. */
  refill(rows: readonly Row[]): void {
    this.records = [...rows];
    for (const reader of [...this.open]) reader.replace();
  }

  read(mark: LogMark): ReadPartition {
    const positions = new Map(mark.positions);
    const end = this.records.length;
    let next = Number(mark.offset ?? 0);
    let takenTo = mark.offset;
    let failure: Error | undefined;
    let wake = (): void => undefined;
    const fail = (error: Error): void => {
      failure ??= error;
      this.open.delete(reader);
      wake();
    };
    const reader = { replace: () => fail(new LogReplaced('emptied')), wake: () => wake() };
    this.open.add(reader);
    if (next > end) fail(new LogReplaced('it ends before'));
    return {
      take: async (max) => {
        for (;;) {
          if (failure) throw failure;
          const taken: Row[] = [];
          while (taken.length < max && next < this.records.length) {
            const record = this.records[next++]!;
            const { stream, number, hash } = record.row;
            if (number !== (positions.get(stream)?.number ?? 0) + 1) continue;
            positions.set(stream, { number, hash });
            takenTo = String(next);
            taken.push(record);
          }
          if (taken.length > 0) return taken;
          await new Promise<void>((resolve) => (wake = resolve));
        }
      },
      mark: () => ({ offset: takenTo, positions: new Map(positions) }),
      caughtUp: () => next >= end,
      close: async () => fail(new Fenced('closed')),
    };
  }
}

/** The state that PostgreSQL stores. */
class MemoryNumbers extends NotedNumbers {
  state: Noted = {
    era: 1,
    base: NOW,
    mark: { offset: null, positions: new Map() },
    last: null,
    seqs: [],
    before: null,
  };
  /** The first one is where the era begins. */
  private marks: LogMark[] = [{ offset: '0', positions: new Map() }];

  async load(): Promise<Noted> {
    const before = this.marks.find(({ offset }) => Number(offset) < Number(this.state.mark.offset)) ?? null;
    return { ...this.state, before };
  }
  async note(_partition: number, read: () => ToNote): Promise<boolean> {
    const { era, mark, last, seqs } = read();
    const { state } = this;
    if (era !== state.era || (state.mark.offset !== null && Number(state.mark.offset) >= Number(mark.offset)))
      return false;
    this.state = { ...state, mark, last, seqs: [...new Map([...state.seqs, ...seqs])] };
    this.marks.push(mark);
    return true;
  }
  async eraOf(): Promise<number> {
    return this.state.era;
  }
  async beginAnew(_partition: number, era: number): Promise<void> {
    const { state } = this;
    if (era !== state.era) return;
    const base = Math.max(state.base, ...state.seqs.map(([, seq]) => seq)) + 1_000_000;
    this.state = { ...state, era: era + 1, base, mark: { ...state.mark, offset: null }, last: null, seqs: [] };
    this.marks = [{ offset: '0', positions: state.mark.positions }];
  }
  async release(): Promise<void> {
    return Promise.resolve();
  }
}

class Gateway {
  readonly events: PrivateEvents;
  readonly readiness = new Readiness();
  readonly seen: { readonly id: unknown; readonly seq: number }[] = [];
  private readonly stopping = new AbortController();
  private readonly open = new Set<ReadPartition>();

  constructor(log: MemoryLog, numbers: NotedNumbers) {
    const clock = { real: () => NOW + 5 } as Clock;
    const latency = { pushed: () => undefined } as unknown as Latency;
    const port = { shared: true, partitionsOf: () => 1 } as unknown as Log;
    this.events = new PrivateEvents(clock, latency, port, this.readiness);
    this.events.onEvent((_user, { payload, userSeq }) => this.seen.push({ id: payload['id'], seq: userSeq }));
    const reader = new UserEventReader(this.events, numbers, clock);
    void this.run(reader, log);
  }
  private async run(reader: UserEventReader, log: MemoryLog): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted)
      await reader
        .read({
          partition: 0,
          signal,
          from: async (mark) => {
            const partition = log.read(mark);
            this.open.add(partition);
            if (signal.aborted) void partition.close();
            return partition;
          },
        })
        .catch((error: unknown) => {
          if (!(error instanceof Fenced)) throw error;
        });
  }
  /** As kill -9: nothing more is noted. */
  async kill(): Promise<void> {
    this.stopping.abort();
    for (const partition of this.open) await partition.close();
    await jest.advanceTimersByTimeAsync(0);
  }
  async since(userSeq: number, user = 7): Promise<{ ids: unknown[]; numbers: unknown[]; complete: boolean }> {
    const asked = this.events.since(user, userSeq);
    await jest.advanceTimersByTimeAsync(2_100);
    const { events, complete } = await asked;
    return {
      ids: events.map(({ payload }) => payload['id']),
      numbers: events.map(({ payload }) => payload['user_seq']),
      complete,
    };
  }
}

/** Rows of two senders, numbered as their streams are. */
class Senders {
  private readonly numbers = new Map<string, number>();
  private serial = 0;

  constructor(private readonly salt = '') {}

  row(stream: string, users: readonly number[] = [7]): Row {
    const number = (this.numbers.get(stream) ?? 0) + 1;
    this.numbers.set(stream, number);
    const messages = users.map((user): Message => userEvent(user, 'notice', { id: (this.serial += 1) } as never));
    const row = { stream, number, hash: `${stream}${number}${this.salt}` } as Row['row'];
    return { kind: 'row', row, messages, at: NOW };
  }
}

const settle = (ms = 150): Promise<void> => jest.advanceTimersByTimeAsync(ms).then(() => undefined);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('several gateways that number private events', () => {
  test('give the same numbers, and a joining one continues them and has the missed events [SOCKET-015]', async () => {
    const [log, numbers, senders] = [new MemoryLog(), new MemoryNumbers(), new Senders()];
    const [one, two] = [new Gateway(log, numbers), new Gateway(log, numbers)];
    await settle();
    log.append(senders.row('a'));
    await settle(NOTED_MS);
    log.append(senders.row('b'), senders.row('a', [7, 8]));
    await settle(NOTED_MS);
    log.append(senders.row('b'));
    await settle();
    expect(one.seen).toEqual([1, 2, 3, 4, 5].map((id) => ({ id, seq: NOW + [1, 2, 3, 1, 4][id - 1]! })));
    expect(two.seen).toEqual(one.seen);
    await one.kill();
    const three = new Gateway(log, numbers);
    await settle();
    expect(three.readiness.ready()).toBe(true);
    expect(three.events.seqOf(7)).toBe(NOW + 4);
    expect(three.events.seqOf(8)).toBe(NOW + 1);
    const missed = { ids: [2, 3, 5], numbers: [NOW + 2, NOW + 3, NOW + 4], complete: true };
    const all = { ids: [1, 2, 3, 5], numbers: [1, 2, 3, 4].map((n) => NOW + n), complete: true };
    for (const gateway of [two, three]) {
      expect(await gateway.since(NOW)).toEqual(all);
      expect(await gateway.since(NOW + 1)).toEqual(missed);
    }
    for (const gateway of [two, three]) expect((await gateway.since(NOW + 9)).complete).toBe(false);
    await two.kill();
    await three.kill();
  });

  test('a number that another one has given is waited for [SOCKET-015]', async () => {
    const [log, numbers, senders] = [new MemoryLog(), new MemoryNumbers(), new Senders()];
    const one = new Gateway(log, numbers);
    await settle();
    const asked = one.events.since(7, NOW + 1);
    await settle(500);
    log.append(senders.row('a'));
    await settle(50);
    expect(await asked).toEqual({ events: [], userSeq: NOW + 1, complete: true });
    await one.kill();
  });

  test('of another log they number again, all alike, and say that something was lost [SOCKET-015]', async () => {
    const [log, numbers, senders] = [new MemoryLog(), new MemoryNumbers(), new Senders()];
    const [one, two] = [new Gateway(log, numbers), new Gateway(log, numbers)];
    await settle();
    const rows = [senders.row('a'), senders.row('b'), senders.row('a')];
    log.append(...rows);
    await settle(NOTED_MS);
    log.refill([rows[1]!, rows[0]!, rows[2]!]);
    await settle(NOTED_MS);
    const three = new Gateway(log, numbers);
    await settle();
    log.append(senders.row('b'));
    await settle();
    const base = numbers.state.base;
    expect(base).toBeGreaterThan(NOW + 1_000);
    for (const gateway of [one, two, three]) {
      expect(gateway.events.seqOf(7)).toBe(base + 1);
      expect(await gateway.since(base)).toMatchObject({ ids: [4], complete: true });
      expect((await gateway.since(NOW + 3)).complete).toBe(false);
      await gateway.kill();
    }
  });

  test('one that starts on another log than was counted sees it by its last row [SOCKET-015]', async () => {
    const [log, numbers, senders] = [new MemoryLog(), new MemoryNumbers(), new Senders()];
    const one = new Gateway(log, numbers);
    log.append(senders.row('a'), senders.row('a'));
    await settle(NOTED_MS);
    await one.kill();
    for (const other of [[], [new Senders('other').row('c'), new Senders('other').row('d')]]) {
      const { era } = numbers.state;
      log.records = [...other];
      const two = new Gateway(log, numbers);
      await settle(NOTED_MS);
      expect(numbers.state.era).toBe(era + 1);
      await two.kill();
      numbers.state = {
        ...numbers.state,
        mark: { ...numbers.state.mark, offset: '2' },
        last: { stream: 'a', number: 2, hash: 'a2' },
      };
    }
  });

  test('whenever gateways come, die and note, an event has one number, and no user a gap [SOCKET-015]', async () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.tuple(fc.constant('send' as const), fc.constantFrom('a', 'b', 'c'), fc.subarray(USERS)),
      },
      { weight: 2, arbitrary: fc.constant(['repeat'] as const) },
      { weight: 2, arbitrary: fc.constant(['start'] as const) },
      { weight: 1, arbitrary: fc.constant(['kill'] as const) },
      { weight: 3, arbitrary: fc.tuple(fc.constant('wait' as const), fc.constantFrom(10, 400, NOTED_MS)) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const [log, numbers, senders] = [new MemoryLog(), new MemoryNumbers(), new Senders()];
        const all = [new Gateway(log, numbers)];
        let living = [...all];
        await settle();
        for (const given of steps) {
          if (given[0] === 'send') log.append(senders.row(given[1], given[2]));
          else if (given[0] === 'repeat') log.append(...log.records.slice(-2));
          else if (given[0] === 'kill') await living.shift()?.kill();
          else if (given[0] === 'wait') await settle(given[1]);
          else {
            const gateway = new Gateway(log, numbers);
            all.push(gateway);
            living.push(gateway);
          }
        }
        const last = new Gateway(log, numbers);
        living = [...living, last];
        await settle(500);
        const given = new Map<unknown, number>();
        for (const { id, seq } of all.flatMap(({ seen }) => seen))
          expect(given.set(id, given.get(id) ?? seq).get(id)).toBe(seq);
        for (const user of USERS) {
          const seqs = living.map(({ events }) => events.seqOf(user));
          expect(new Set(seqs).size).toBe(1);
          const kept = [];
          for (const gateway of living) kept.push(await gateway.since(NOW, user));
          for (const { ids, numbers: given, complete } of kept) {
            expect([ids, complete]).toEqual([kept[0]!.ids, true]);
            expect(given).toEqual(ids.map((_, index) => NOW + 1 + index));
          }
          const told = log.records.flatMap(({ messages }) => messages as readonly Message<{ userId: number }>[]);
          const count = new Set(told.filter(({ body }) => body.userId === user)).size;
          expect(seqs[0]).toBe(NOW + count);
        }
        for (const gateway of living) await gateway.kill();
      }),
      { numRuns: 60 },
    );
  });
});
