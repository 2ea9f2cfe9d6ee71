/**
 * Preferences that outlive logout (panel sizes, favourites, chart settings): kept in IndexedDB, because logout clears
 * local storage. Reads are asynchronous; a screen shows its default first, at the same size.
 */
const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('bourse', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('kept');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB refused to open'));
  });
let database: Promise<IDBDatabase> | undefined;

export async function readKept<T>(key: string): Promise<T | undefined> {
  const store = (await (database ??= open())).transaction('kept').objectStore('kept');
  return new Promise((resolve, reject) => {
    const request = store.get(key);
    request.onsuccess = () => resolve(request.result as T | undefined);
    request.onerror = () => reject(request.error ?? new Error(`IndexedDB cannot read ${key}`));
  });
}

export async function writeKept(key: string, value: unknown): Promise<void> {
  const transaction = (await (database ??= open())).transaction('kept', 'readwrite');
  transaction.objectStore('kept').put(value, key);
  // By itself it commits after an event in the page, which one that is left no longer handles.
  transaction.commit();
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error ?? new Error(`IndexedDB cannot write ${key}`));
  });
}
