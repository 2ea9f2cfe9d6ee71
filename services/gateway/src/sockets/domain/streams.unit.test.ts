import { describe, expect, test } from '@jest/globals';
import { NumberedStream } from './numbered-stream.js';
import { PrivateStreams } from './private-stream.js';
import { Latest, Throttle } from './throttle.js';

describe('numbered streams', () => {
  const build = (seq: number, prev: number): { seq: number; prev: number } => ({ seq, prev });

  test('numbers rise even when the source repeats one, and each message names the one before [SOCKET-004]', () => {
    const stream = new NumberedStream<{ seq: number; prev: number }>();
    expect([stream.next(5, 0, build), stream.next(5, 0, build), stream.next(9, 0, build)]).toEqual([
      { seq: 5, prev: 0 },
      { seq: 6, prev: 5 },
      { seq: 9, prev: 6 },
    ]);
  });

  test('a client that resumes within a minute gets the missed messages, later none [SOCKET-005]', () => {
    const stream = new NumberedStream<{ seq: number; prev: number }>();
    stream.reset(1);
    stream.next(2, 0, build);
    stream.next(5, 30_000, build);
    expect(stream.since(1, 50_000)).toEqual([
      { seq: 2, prev: 1 },
      { seq: 5, prev: 2 },
    ]);
    expect(stream.since(2, 50_000)).toEqual([{ seq: 5, prev: 2 }]);
    expect(stream.since(5, 50_000)).toEqual([]);
    expect(stream.since(3, 50_000)).toBeNull();
    expect(stream.since(1, 61_000)).toBeNull();
    expect(stream.since(2, 61_000)).toEqual([{ seq: 5, prev: 2 }]);
  });

  test('memory is bounded [SOCKET-005]', () => {
    const stream = new NumberedStream<{ seq: number; prev: number }>(60_000, 10);
    for (let seq = 1; seq <= 100; seq += 1) stream.next(seq, 0, build);
    expect(stream.newest(100)).toHaveLength(10);
    expect(stream.newest(1)).toEqual([{ seq: 100, prev: 99 }]);
    expect(stream.since(89, 0)).toBeNull();
  });
});

describe('private events', () => {
  test('each user is numbered without gaps from the start time on [SOCKET-006]', () => {
    const streams = new PrivateStreams(1_000);
    expect(streams.seqOf(1)).toBe(1_000);
    streams.add(1, 'order_update', { order: 1 }, 2_000);
    streams.add(2, 'order_update', {}, 2_000);
    expect(streams.add(1, 'balance_update', {}, 2_001).payload).toEqual({ ts: 2_001, user_seq: 1_002 });
    expect([streams.seqOf(1), streams.seqOf(2)]).toEqual([1_002, 1_001]);
  });

  test('missed events are sent again, and a loss is reported [SOCKET-007]', () => {
    const streams = new PrivateStreams(1_000);
    expect(streams.since(1, 1_000, 0)).toEqual({ events: [], userSeq: 1_000, complete: true });
    for (let at = 1; at <= 3; at += 1) streams.add(1, 'order_update', { at }, at);
    expect(streams.since(1, 1_001, 10)).toMatchObject({
      userSeq: 1_003,
      complete: true,
      events: [{ userSeq: 1_002 }, { userSeq: 1_003 }],
    });
    expect(streams.since(1, 500, 10)).toMatchObject({ complete: false }); // numbered by an earlier process
    expect(streams.since(1, 2_000, 10)).toMatchObject({ complete: false, events: [] });
    expect(streams.since(1, 1_001, 86_400_004)).toMatchObject({ complete: false, events: [] });
    expect(streams.since(1, 1_003, 86_400_004)).toMatchObject({ complete: true });
  });

  test('the last thousand are kept [SOCKET-007]', () => {
    const streams = new PrivateStreams(0);
    for (let at = 1; at <= 1_200; at += 1) streams.add(1, 'order_update', {}, at);
    expect(streams.since(1, 200, 1_200).events).toHaveLength(1_000);
    expect(streams.since(1, 200, 1_200).complete).toBe(true);
    expect(streams.since(1, 199, 1_200).complete).toBe(false);
    streams.sweep(86_400_000 + 1_201);
    expect(streams.seqOf(1)).toBe(1_200);
  });
});

test('throttles let the named count through, and the newest value in its turn [SOCKET-001]', () => {
  const throttle = new Throttle(2);
  expect([0, 10, 20, 1_000, 1_001, 1_002].map((now) => throttle.admit(now))).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
  ]);
  const latest = new Latest<number>(500);
  latest.offer(1);
  expect(latest.take(0)).toBe(1);
  latest.offer(2);
  latest.offer(3);
  expect([latest.take(100), latest.take(500), latest.take(1_000)]).toEqual([undefined, 3, undefined]);
});
