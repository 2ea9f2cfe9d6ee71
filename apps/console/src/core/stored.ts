/**
 * The console's values in the browser. Language, theme and palette are those of the terminal; the token lives in the
 * tab alone: another tab is another sign-in, and closing the tab ends it here. Storage may be blocked: then values
 * live for the visit.
 */
const memory = new Map<string, string>();
const TOKEN = 'console.token';

type Setting = 'locale' | 'theme' | 'palette' | `console.columns.${string}`;

export const readSetting = (key: Setting): string | null => read(() => localStorage, key);
export const writeSetting = (key: Setting, value: string): void => write(() => localStorage, key, value);

export const readToken = (): string | null => read(() => sessionStorage, TOKEN);
export function writeToken(token: string | null): void {
  write(() => sessionStorage, TOKEN, token);
}

function read(storage: () => Storage, key: string): string | null {
  return guarded(
    () => storage().getItem(key),
    () => memory.get(key) ?? null,
  );
}

function write(storage: () => Storage, key: string, value: string | null): void {
  guarded(
    () => (value === null ? storage().removeItem(key) : storage().setItem(key, value)),
    () => (value === null ? void memory.delete(key) : void memory.set(key, value)),
  );
}

/** The browser may block storage; any other error is a defect. */
function guarded<T>(kept: () => T, blocked: () => T): T {
  try {
    return kept();
  } catch (error) {
    if (error instanceof DOMException) return blocked();
    throw error;
  }
}
