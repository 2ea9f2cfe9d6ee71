import { useCallback, useSyncExternalStore } from 'react';
import { KeptStore } from './kept-store.js';
import { readKept, writeKept } from './kept.js';

let onChange: ((key: string, value: unknown) => void) | undefined;
/** Carries what one tab keeps to the others, so that none writes an older list over it. */
const tabs = 'window' in globalThis ? new BroadcastChannel('kept') : undefined;
const store = new KeptStore({
  read: readKept,
  write: async (key, value) => {
    await writeKept(key, value);
    tabs?.postMessage([key, value]);
  },
  report: (error) => console.warn('preference not kept', error),
});

tabs?.addEventListener('message', ({ data }: MessageEvent<[key: string, value: unknown]>) => store.receive(...data));

/**
 * A preference that outlives logout, with a default until it is read and where nothing is kept. All that use the same
 * key show the same value.
 */
export function useKept<T>(key: string, initial: T): [T, (value: T) => void] {
  const subscribe = useCallback((changed: () => void) => store.subscribe(key, changed), [key]);
  const kept = useSyncExternalStore(subscribe, () => store.get(key) as T | undefined);
  const change = useCallback((value: T) => changeKept(key, value), [key]);
  return [kept ?? initial, change];
}

/** The same outside of a screen. The first call starts the read: a caller that needs the value later calls early. */
export const keptNow = <T>(key: string, initial: T): T => (store.get(key) as T | undefined) ?? initial;

/** Changes a preference, and calls the listener of changes. */
function changeKept(key: string, value: unknown): void {
  store.set(key, value);
  onChange?.(key, value);
}

/** Sets a preference that comes from the account: the listener of changes is not called. */
export const applyKept = (key: string, value: unknown): void => store.set(key, value);

/** Calls back with every change from now on; there is one such listener. */
export const onKeptChange = (listener: typeof onChange): void => {
  onChange = listener;
};
