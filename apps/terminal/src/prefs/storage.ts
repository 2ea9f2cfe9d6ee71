/**
 * The browser's storage under exactly the keys of the contract (api §5). Everything but the locale goes at logout.
 * Storage may be blocked: then values live for the visit.
 */
export const STORED_KEYS = [
  'token',
  'user_id',
  'theme',
  'locale',
  'accountNum',
  'extension_code',
  'is_seller',
  'type',
  'legal_id',
  'currency_id',
  'legal_name',
  'currency_name',
  'dealLegalId',
  'symbol',
  'dealSymbol',
  'dealPrice',
  'fiat_convert_cny',
  'shareNum',
  'priceScale',
  'dealIndex1',
  'dealIndex2',
  'socketPort',
  'palette',
] as const;
export type StoredKey = (typeof STORED_KEYS)[number];

const memory = new Map<string, string>();

export function readStored(key: StoredKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    return blocked(error, memory.get(key) ?? null);
  }
}

export function writeStored(key: StoredKey, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch (error) {
    blocked(error, memory.set(key, value));
  }
}

/** Logout: all goes but the language. */
export function clearStored(): void {
  const locale = readStored('locale');
  try {
    localStorage.clear();
  } catch (error) {
    blocked(error, undefined);
  }
  memory.clear();
  if (locale !== null) writeStored('locale', locale);
}

/** Only a refusal of the browser is expected here; anything else is a defect. */
function blocked<T>(error: unknown, value: T): T {
  if (error instanceof DOMException) return value;
  throw error;
}
