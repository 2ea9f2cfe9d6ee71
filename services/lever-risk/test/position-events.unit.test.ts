import { expect, test } from '@jest/globals';
import { AskUnavailable, type Log, type Views } from '@bourse/messaging';
import { eventually } from '@bourse/testing';
import type { LeverMarkets } from '../src/application/lever-markets.js';
import type { AccountName, Balances, PositionStore } from '../src/application/ports.js';
import { PositionEvents } from '../src/application/position-events.js';
import { CLOSED_BY, STATUS, type ClosedBy, type Position } from '../src/domain/position.js';
import { positionWith } from './positions.js';

const QUOTE = 3;
const PEOPLE = 100;

/** Publishes the states of a hundred accounts; `failsFor` gives the error of those that cannot be read. */
async function publish(failsFor: (userId: number) => Error | undefined, most: number) {
  const published: number[] = [];
  let reads = 0;
  const positionEvents = new PositionEvents(
    {} as Log,
    { publish: (_channel: string, { userId }: { userId: number }) => published.push(userId) } as unknown as Views,
    {
      quotes: () => [QUOTE],
      currency: () => ({ name: 'USDT', scale: 8 }),
      marks: () => new Map(),
    } as unknown as LeverMarkets,
    {
      liveOf: async (accounts: readonly AccountName[]) => {
        reads += 1;
        for (const { userId } of accounts) {
          const error = failsFor(userId);
          if (error) throw error;
        }
        return [];
      },
    } as unknown as PositionStore,
    { of: async () => ({ balances: {}, house: '0' }) } as unknown as Balances,
  );
  positionEvents.publishSoon(Array.from({ length: PEOPLE }, (_, userId) => ({ userId, quote: QUOTE })));
  await eventually(() => published.length >= most && reads > 0);
  // A repeated read would come before this.
  await new Promise(setImmediate);
  return { published, reads };
}

test('an account that cannot be read publishes nothing, and all others are published [LEVER-073]', async () => {
  const { published, reads } = await publish(
    (userId) => (userId === 42 ? new Error('a row of no sense') : undefined),
    99,
  );
  expect(published.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: PEOPLE }, (_, at) => at).filter((at) => at !== 42),
  );
  expect(reads).toBeLessThan(20);
});

test('if the ledger is away, accounts are not retried one by one [LEVER-073]', async () => {
  const { published, reads } = await publish(() => new AskUnavailable('the ledger is away'), 0);
  expect([published, reads]).toEqual([[], 1]);
});

test('a settlement with several reasons publishes one event per reason [LEVER-087]', () => {
  const log = { partitionsOf: () => 1 } as unknown as Log;
  const [views, markets] = [{} as Views, {} as LeverMarkets];
  const positionEvents = new PositionEvents(log, views, markets, {} as PositionStore, {} as Balances);
  const closed = (id: string, closedBy: ClosedBy): Position => positionWith({ id, closedBy, status: STATUS.closed });
  const published: unknown[] = [];
  const tx = { emit: (_topic: string, _partition: number, message: unknown) => published.push(message) };
  positionEvents.publishClosed(tx as never, [
    closed('1', CLOSED_BY.stop),
    closed('2', CLOSED_BY.cover),
    closed('3', CLOSED_BY.cover),
  ]);
  const texts = published.map((message) => JSON.stringify(message));
  expect(texts).toHaveLength(2);
  expect(texts[0]).toContain('"closed_type":4');
  expect(texts[0]).toContain('"ids":["1"]');
  expect(texts[1]).toContain('"closed_type":6');
  expect(texts[1]).toContain('"ids":["2","3"]');
});

test('a push has all open positions and the changed trigger orders [LEVER-097] [HARD-405]', async () => {
  const pushed: Record<string, unknown>[] = [];
  const rows = [
    positionWith({ id: '1' }),
    positionWith({ id: '2', status: STATUS.pending, openedAt: null }),
    positionWith({ id: '3', status: STATUS.pending, openedAt: null }),
  ];
  const market = { quoteName: 'USDT', baseName: 'BTC', symbol: 'BTC/USDT', quote: QUOTE, base: 1 };
  const positionEvents = new PositionEvents(
    {} as Log,
    {
      publish: (_: string, { payload }: { payload: Record<string, unknown> }) => pushed.push(payload),
    } as unknown as Views,
    {
      quotes: () => [QUOTE],
      currency: () => ({ name: 'USDT', scale: 8 }),
      marks: () => new Map([[1, 6_000_000n]]),
      byPair: () => market,
    } as unknown as LeverMarkets,
    { liveOf: () => Promise.resolve(rows) } as unknown as PositionStore,
    { of: () => Promise.resolve({ balances: { 1: '1' }, house: '0' }) } as unknown as Balances,
  );
  const account = { userId: 1, quote: QUOTE };
  const commits: (() => void)[] = [];
  const tx = { afterCommit: (act: () => void) => commits.push(act) } as never;
  const ids = (list: unknown): string[] => (list as { id: string }[]).map(({ id }) => id);
  const next = async (): Promise<[string[], string[]]> => {
    const state = await eventually(() => pushed.shift());
    return [ids(state['trades_all']), ids(state['trades_entrust'])];
  };
  positionEvents.publishSoon([account]);
  expect(await next()).toEqual([['1'], []]);
  // A tick and two changes within a moment are one push, with what each of them says.
  positionEvents.publishAfterCommit(tx, account, ['2']);
  for (const commit of commits) commit();
  positionEvents.publishSoon([account]);
  positionEvents.publishSoon([account], ['3']);
  expect(await next()).toEqual([['1'], ['2', '3']]);
  positionEvents.publishSoon([account]);
  expect(await next()).toEqual([['1'], []]);
});

test('a state that takes long to read is published before one that was read later [LEVER-073]', async () => {
  const published: number[] = [];
  const held: (() => void)[] = [];
  let reads = 0;
  const positionEvents = new PositionEvents(
    {} as Log,
    { publish: (_: string, { userId }: { userId: number }) => published.push(userId) } as unknown as Views,
    {
      quotes: () => [QUOTE],
      currency: () => ({ name: 'USDT', scale: 8 }),
      marks: () => new Map(),
    } as unknown as LeverMarkets,
    { liveOf: () => Promise.resolve((reads += 1) && []) } as unknown as PositionStore,
    {
      of: () =>
        new Promise((resolve) => {
          held.push(() => resolve({ balances: {}, house: '0' }));
        }),
    } as unknown as Balances,
  );
  positionEvents.publishSoon([{ userId: 1, quote: QUOTE }]);
  await eventually(() => held.length === 1);
  positionEvents.publishSoon([{ userId: 2, quote: QUOTE }]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(reads).toBe(1);
  held[0]!();
  await eventually(() => held.length === 2);
  held[1]!();
  await eventually(() => published.length === 2);
  expect(published).toEqual([1, 2]);
});
