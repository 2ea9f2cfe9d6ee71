import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Order } from '@bourse/matching';
import { Unavailable } from '@bourse/platform';
import { AnsweredOrderReads } from './answered-order-reads.js';
import { CommitPace } from './commit-pace.js';
import { EngineProgress } from './engine-progress.js';
import { EngineReports } from './engine-reports.js';
import { AcceptedOrders, type OrderReads } from './ports.js';

const USER = 300_001;

/** Orders that the copies of the service have answered as accepted, while their rows are not there. */
class Accepted extends AcceptedOrders {
  readonly orders: Order[] = [];
  add(orders: readonly Order[]): Promise<void> {
    this.orders.push(...orders);
    return Promise.resolve();
  }
  of(userId: number): Promise<readonly Order[]> {
    return Promise.resolve(this.orders.filter((order) => order.userId === userId));
  }
}
const readsOf = (
  rows: object,
  progress = new EngineProgress(),
  reports = new EngineReports(),
  accepted = new Accepted(),
): AnsweredOrderReads => new AnsweredOrderReads(rows as OrderReads, progress, reports, accepted);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a reader of order rows', () => {
  test('does not wait when nothing was answered ahead of the commit [SPOT-121]', async () => {
    const progress = new EngineProgress();
    progress.noteAnswered(3, [USER]);
    progress.noteCommitted(3);
    await progress.waitForCommit(USER);
    await progress.waitForCommit();
  });

  test('waits for the commit of earlier answers, and ends the pause of the engine [SPOT-121]', async () => {
    const progress = new EngineProgress();
    const hurry = jest.fn();
    progress.hurry = hurry;
    progress.noteAnswered(5, [USER]);
    let isSettled = false;
    const settled = progress.waitForCommit(USER).then(() => (isSettled = true));
    progress.noteAnswered(9, [USER]);
    progress.noteCommitted(4);
    await Promise.resolve();
    expect([isSettled, hurry.mock.calls.length]).toEqual([false, 1]);
    progress.noteCommitted(5);
    await settled;
    // Row 9 was answered meanwhile.
    let isNextSettled = false;
    const next = progress.waitForCommit(USER).then(() => (isNextSettled = true));
    await Promise.resolve();
    expect(isNextSettled).toBe(false);
    progress.noteCommitted(9);
    await next;
  });

  test('does not wait for answers to another person [SPOT-121]', async () => {
    const progress = new EngineProgress();
    progress.noteAnswered(1, [USER]);
    await progress.waitForCommit(USER + 1);
  });

  test('is refused as unavailable when the engine does not commit in time [SPOT-121]', async () => {
    const progress = new EngineProgress();
    progress.noteAnswered(1, [USER]);
    const settled = progress.waitForCommit(USER);
    const refused = expect(settled).rejects.toBeInstanceOf(Unavailable);
    await jest.advanceTimersByTimeAsync(2_000);
    await refused;
  });

  test.each(['byId', 'ofAnybody', 'byClientId', 'list', 'open', 'fills'] as const)(
    'reads no row by %s before the commit [SPOT-121]',
    async (name) => {
      const progress = new EngineProgress();
      const read = jest.fn(() => Promise.resolve(null));
      const reads = readsOf({ [name]: read }, progress);
      progress.noteAnswered(1, [USER]);
      const reading = (reads[name] as (userId: number) => Promise<unknown>)(USER);
      await jest.advanceTimersByTimeAsync(100);
      expect(read).not.toHaveBeenCalled();
      progress.noteCommitted(1);
      await reading;
      expect(read).toHaveBeenCalled();
    },
  );
});

test.each(['allOrders', 'allFills'] as const)('reads no piece by %s before the commit [SPOT-121]', async (name) => {
  const progress = new EngineProgress();
  const read = jest.fn(async function* () {
    yield Promise.resolve([]);
  });
  const reads = readsOf({ [name]: read }, progress);
  progress.noteAnswered(1, [USER]);
  const first = reads[name](USER, {}).next();
  await jest.advanceTimersByTimeAsync(100);
  expect(read).not.toHaveBeenCalled();
  progress.noteCommitted(1);
  expect(await first).toEqual({ done: false, value: [] });
});

describe('a list after an order that was answered as accepted', () => {
  const order = { id: '7', userId: USER } as Order;
  /** Reads whose rows show the order from the read of this number on. */
  function readsThatShow(from: number): { reads: AnsweredOrderReads; list: jest.Mock } {
    let reading = 0;
    const rows = {
      byId: () => Promise.resolve((reading += 1) >= from ? order : null),
      list: jest.fn(() => Promise.resolve({ rows: [order], total: 1 })),
    };
    const reports = new EngineReports();
    reports.remember(order);
    const reads = readsOf(rows, new EngineProgress(), reports);
    return { reads, list: rows.list };
  }

  test('waits until the rows show the order, also when its engine runs in another process [SPOT-218]', async () => {
    const { reads, list } = readsThatShow(3);
    const listed = reads.list(USER, {}, 0, 10);
    await jest.advanceTimersByTimeAsync(25);
    expect(list).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(25);
    expect((await listed).rows).toEqual([order]);
  });

  test('does not wait for the order of another person [SPOT-218]', async () => {
    const { reads } = readsThatShow(Infinity);
    await reads.list(USER + 1, {}, 0, 10);
  });

  test('is refused as unavailable when the rows do not show it in time [SPOT-218]', async () => {
    const { reads } = readsThatShow(Infinity);
    const refused = expect(reads.list(USER, {}, 0, 10)).rejects.toBeInstanceOf(Unavailable);
    await jest.advanceTimersByTimeAsync(2_000);
    await refused;
  });
});

describe('another copy of the service, which has not answered the order itself', () => {
  const order = { id: '7', userId: USER, clientOrderId: 'mine' } as Order;
  const row = { ...order, sequence: 1 };
  /** Its reads; from the read of this number on the rows show the order. */
  async function copyWhoseRowsShow(from: number) {
    const accepted = new Accepted();
    await accepted.add([order]);
    let reading = 0;
    const find = (): Promise<Order | null> => {
      const isThere = (reading += 1) >= from;
      if (isThere) accepted.orders.length = 0;
      return Promise.resolve(isThere ? row : null);
    };
    const list = jest.fn(() => Promise.resolve({ rows: [row], total: 1 }));
    return { reads: readsOf({ byId: find, byClientId: find, list }, undefined, undefined, accepted), list };
  }

  test.each([
    ['before its row is there', Infinity, order],
    ['whose row is there', 1, row],
  ])('shows an accepted order %s by its names, to its owner alone [SPOT-274]', async (_, from, shown) => {
    const { reads } = await copyWhoseRowsShow(from);
    expect(await reads.byId(USER, '7')).toEqual(shown);
    expect(await reads.byClientId(USER, 'mine')).toEqual(shown);
    if (from > 1)
      expect([await reads.byId(USER + 1, '7'), await reads.byId(USER, '8'), await reads.byClientId(USER, '')]).toEqual([
        null,
        null,
        null,
      ]);
  });

  test('shows the newer one of two orders that bore one client id one after the other [SPOT-275]', async () => {
    const accepted = new Accepted();
    await accepted.add([{ ...order, placedAt: 2 }]);
    const old = { ...order, id: '3', placedAt: 1 };
    const reads = readsOf({ byClientId: () => Promise.resolve(old) }, undefined, undefined, accepted);
    expect(await reads.byClientId(USER, 'mine')).toMatchObject({ id: '7' });
  });

  test('shows an order whose row came while it looked for it [SPOT-274]', async () => {
    let reading = 0;
    const reads = readsOf({ byId: () => Promise.resolve((reading += 1) > 1 ? row : null) });
    expect(await reads.byId(USER, '7')).toEqual(row);
  });

  test('lists no orders until the rows show it, and is unavailable after 2 s [SPOT-274]', async () => {
    const { reads, list } = await copyWhoseRowsShow(2);
    const listed = reads.list(USER, {}, 0, 10);
    await jest.advanceTimersByTimeAsync(24);
    expect(list).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect((await listed).rows).toEqual([row]);
    const { reads: late } = await copyWhoseRowsShow(Infinity);
    await late.list(USER + 1, {}, 0, 10);
    const refused = expect(late.list(USER, {}, 0, 10)).rejects.toBeInstanceOf(Unavailable);
    await jest.advanceTimersByTimeAsync(2_000);
    await refused;
  });
});

describe('the pace of commits', () => {
  test('begins a commit after a silence at once, then rests four times as long as it took [SPOT-122]', async () => {
    const pace = new CommitPace();
    expect(pace.isOver(false)).toBe(true);
    pace.noteBegin();
    pace.noteEnd(5);
    expect(pace.isOver(false)).toBe(false);
    const over = pace.waitForRest(false);
    await jest.advanceTimersByTimeAsync(20);
    await over;
    expect(pace.isOver(false)).toBe(true);
  });

  test.each([
    ['50 ms', false, 50],
    ['10 ms while an answer waits', true, 10],
  ])('never rests longer than %s [SPOT-122]', async (_, isAwaited, ms) => {
    const pace = new CommitPace();
    pace.noteEnd(1_000);
    await jest.advanceTimersByTimeAsync(ms - 1);
    expect(pace.isOver(isAwaited)).toBe(false);
    const over = pace.waitForRest(isAwaited);
    await jest.advanceTimersByTimeAsync(1);
    await over;
  });

  test('shortens a rest that has begun when an answer begins to wait [SPOT-122]', async () => {
    const pace = new CommitPace();
    pace.noteEnd(1_000);
    const over = pace.waitForRest(false);
    void pace.waitForRest(true);
    await jest.advanceTimersByTimeAsync(10);
    await over;
  });

  test('keeps a rest whole when the one before it was ended early [SPOT-122]', async () => {
    const pace = new CommitPace();
    pace.noteEnd(1_000);
    void pace.waitForRest(false);
    await jest.advanceTimersByTimeAsync(20);
    pace.noteBegin();
    pace.noteEnd(1_000);
    await jest.advanceTimersByTimeAsync(40);
    expect(pace.isOver(false)).toBe(false);
  });

  test('ends its rest when a reader waits, also one that began during a commit [SPOT-122]', async () => {
    const pace = new CommitPace();
    pace.noteEnd(10);
    const over = pace.waitForRest(false);
    pace.hurry();
    await over;
    pace.noteBegin();
    pace.hurry();
    pace.noteEnd(10);
    expect(pace.isOver(false)).toBe(true);
    pace.noteBegin();
    pace.noteEnd(10);
    expect(pace.isOver(false)).toBe(false);
  });
});
