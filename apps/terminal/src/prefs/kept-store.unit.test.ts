import { describe, expect, test } from '@jest/globals';
import { KeptStore, type Keeper } from './kept-store.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function storeOn(kept: Record<string, unknown>, more: Partial<Keeper> = {}) {
  const refused: unknown[] = [];
  const reads: string[] = [];
  const writes: string[] = [];
  const store = new KeptStore({
    read: (key) => {
      reads.push(key);
      return Promise.resolve(kept[key]);
    },
    write: (key, value) => {
      writes.push(key);
      kept[key] = value;
      return Promise.resolve();
    },
    report: (error) => refused.push(error),
    ...more,
  });
  return { store, refused, reads, writes };
}

describe('preferences that outlive logout [PREFS-001]', () => {
  test('are read once for all readers, and every listener gets them', async () => {
    const { store, reads } = storeOn({ favourites: ['BTC/USDT'] });
    const told: unknown[] = [];
    store.subscribe('favourites', () => told.push(store.get('favourites')));
    expect(store.get('favourites')).toBeUndefined();
    await settled();
    expect([store.get('favourites'), told, reads]).toEqual([['BTC/USDT'], [['BTC/USDT']], ['favourites']]);
  });

  test('a change made in one place is seen in the other at once, and kept', async () => {
    const kept: Record<string, unknown> = {};
    const { store } = storeOn(kept);
    let told = 0;
    const leave = store.subscribe('skip', () => (told += 1));
    store.set('skip', true);
    leave();
    store.set('skip', false);
    await settled();
    expect(told).toBe(1);
    expect(store.get('skip')).toBe(false);
    expect(kept['skip']).toBe(false);
  });

  test('a change before the kept value arrives remains', async () => {
    const { store } = storeOn({ skip: true });
    store.get('skip');
    store.set('skip', false);
    await settled();
    expect(store.get('skip')).toBe(false);
  });

  test('a value that another tab has kept is shown, and a later change builds on it', async () => {
    const { store, writes } = storeOn({ favourites: ['BTC/USDT'] });
    const shown: unknown[] = [];
    store.subscribe('favourites', () => shown.push(store.get('favourites')));
    store.receive('favourites', ['BTC/USDT', 'ETH/USDT']);
    await settled();
    expect([shown, writes]).toEqual([[['BTC/USDT', 'ETH/USDT']], []]);
    store.set('favourites', ['ETH/USDT']);
    await settled();
    // Never read here: it is read when it is needed.
    store.receive('skip', true);
    expect([writes, store.get('skip')]).toEqual([['favourites'], undefined]);
  });

  test('a value that is equal to the kept one is not written again', async () => {
    const { store, writes } = storeOn({ skip: true, favourites: ['BTC/USDT'] });
    store.set('skip', true);
    store.set('favourites', ['BTC/USDT']);
    store.set('zone', 'utc');
    store.set('zone', 'utc');
    await settled();
    expect([writes, store.get('skip')]).toEqual([['zone'], true]);
    store.set('skip', false);
    store.set('skip', true);
    await settled();
    expect(writes).toEqual(['zone', 'skip', 'skip']);
  });

  test('where the browser keeps nothing, a value lasts for the visit', async () => {
    const refusal = new Error('blocked');
    const { store, refused } = storeOn(
      {},
      { read: () => Promise.reject(refusal), write: () => Promise.reject(refusal) },
    );
    store.set('skip', true);
    await settled();
    expect(store.get('skip')).toBe(true);
    expect(refused).toEqual([refusal, refusal]);
  });
});
