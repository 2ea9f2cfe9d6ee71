/**
 * Checks the receipt of a seconds contract without the exchange: the chain of ticks, its signature, the prices that
 * judged, the result and what was paid (rules §4). It shares no code with the settlement, on purpose: two programs
 * that count apart must agree. Runs in Node and in the browser; SHA-256 and Ed25519 are the platform's.
 */

/** A recorded price: one a second and market, chained by hash. */
export interface Tick {
  readonly id: string;
  readonly symbol: string;
  /** Unix milliseconds, on the full second. */
  readonly time: number;
  readonly price: string;
  /** When the price was given, Unix milliseconds; absent in ticks of version 1, whose hash is without it. */
  readonly at?: number;
  readonly prev_hash: string;
  readonly hash: string;
}

/** The checked fields of an order in `GET /api/microtrade/receipt`. Times are UTC texts. */
export interface ReceiptOrder {
  readonly id: string;
  readonly symbol_name: string;
  readonly type: 1 | 2;
  readonly seconds: number;
  readonly number: string;
  readonly fee: string;
  /** Percent. */
  readonly profit_ratio: string;
  readonly open_price: string;
  readonly end_price: string;
  readonly result: '' | 'win' | 'loss' | 'tie' | 'void';
  readonly fact_profits: string;
  readonly create_time: string;
  /** The acceptance, Unix milliseconds: `create_time` has only its second. Absent in older receipts. */
  readonly ts?: number;
  readonly open_time: string;
  readonly expire_time: string;
}

/** The checked data: the receipt, and the ticks of its market from the opening tick to after the expiry. */
export interface ReceiptFile {
  readonly receipt: {
    readonly order: ReceiptOrder;
    readonly rule: string;
    /** Absent in older receipts, which are of version 1. */
    readonly tick_version?: number;
    readonly open_tick: Tick | null;
    readonly ticks: readonly Tick[];
    readonly end_price: string;
    readonly payout: string;
  };
  readonly chain: {
    readonly ticks: readonly Tick[];
    /** 32 bytes in base64. */
    readonly public_key: string;
    /** Ed25519 over the 32 bytes of the last hash, 64 bytes in base64. */
    readonly signature: string;
  };
}

/** The result of one check: `fault` is null where all is right. */
export interface Finding {
  readonly check: CheckName;
  readonly fault: string | null;
}
export type CheckName = 'shape' | 'hashes' | 'links' | 'signature' | 'key' | 'opening' | 'ticks' | 'end' | 'payout';

const WINDOW_MS = 5_000;
const OPENING_MS = 5_000;
const LEAST_TICKS = 3;
const MONEY_DECIMALS = 8;
const TIME_TEXT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * All findings, one for each check; a receipt holds when no fault is among them. A file that is no receipt yields one
 * fault of `shape`.
 * @param publishedKey the key that the exchange published for the time, in base64; without it the signer is unknown,
 * and `key` reports that
 */
export async function verifyReceipt(file: unknown, publishedKey: string | null): Promise<readonly Finding[]> {
  let read: ReceiptFile;
  try {
    read = readFile(file);
  } catch (error) {
    return [{ check: 'shape', fault: (error as Error).message }];
  }
  const { receipt, chain } = read;
  return [
    { check: 'shape', fault: null },
    { check: 'hashes', fault: wrongVersion(receipt) ?? (await wrongHash(ticksOf(read))) },
    { check: 'links', fault: brokenLink(chain.ticks, receipt.order.symbol_name) },
    { check: 'signature', fault: await wrongSignature(chain) },
    { check: 'key', fault: wrongKey(chain.public_key, publishedKey) },
    { check: 'opening', fault: wrongOpening(read) },
    { check: 'ticks', fault: wrongTicks(read) },
    { check: 'end', fault: wrongEnd(read) },
    { check: 'payout', fault: wrongPayout(read) },
  ];
}

/** SHA-256 of `prev_hash|id|symbol|time|price|at`, in hex; of version 1 without `at`. */
async function hashOf({ prev_hash: previous, id, symbol, time, price, at: given }: Tick): Promise<string> {
  const said = [previous, id, symbol, time, price, ...(given === undefined ? [] : [given])];
  const text = new TextEncoder().encode(said.join('|'));
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', text)));
}

const ticksOf = ({ receipt, chain }: ReceiptFile): readonly Tick[] => [
  ...chain.ticks,
  ...receipt.ticks,
  ...listed(receipt.open_tick),
];

function wrongVersion({ tick_version: stated = 1, open_tick: opening, ticks }: ReceiptFile['receipt']): string | null {
  const deciding = [...listed(opening), ...ticks];
  if (deciding.length === 0) return null;
  const version = deciding.some(({ at: given }) => given !== undefined) ? 2 : 1;
  return stated === version ? null : `its ticks are of version ${version}, the receipt says ${stated}`;
}

async function wrongHash(ticks: readonly Tick[]): Promise<string | null> {
  for (const tick of ticks)
    if ((await hashOf(tick)) !== tick.hash)
      return `tick ${tick.id} does not have the hash of what it says: it was changed`;
  return null;
}

function brokenLink(ticks: readonly Tick[], symbol: string): string | null {
  for (const [index, tick] of ticks.entries()) {
    if (tick.symbol !== symbol) return `tick ${tick.id} is of ${tick.symbol}, not of ${symbol}`;
    const before = ticks[index - 1];
    if (!before) continue;
    if (BigInt(tick.id) !== BigInt(before.id) + 1n) return `between tick ${before.id} and ${tick.id} ticks are missing`;
    if (tick.prev_hash !== before.hash) return `tick ${tick.id} does not follow tick ${before.id}: the chain is broken`;
    if (tick.time <= before.time) return `tick ${tick.id} is not later than tick ${before.id}`;
    if (tick.at === undefined && before.at !== undefined)
      return `tick ${tick.id} does not say when its price was given, and tick ${before.id} does`;
  }
  return null;
}

async function wrongSignature({ ticks, public_key: key, signature }: ReceiptFile['chain']): Promise<string | null> {
  const last = ticks.at(-1);
  if (!last) return 'there are no ticks to sign';
  try {
    const imported = await crypto.subtle.importKey('raw', bytes64(key), 'Ed25519', false, ['verify']);
    const holds = await crypto.subtle.verify('Ed25519', imported, bytes64(signature), bytes16(last.hash));
    return holds ? null : `the signature is not of tick ${last.id} by this key`;
  } catch (error) {
    return `the signature cannot be read: ${(error as Error).message}`;
  }
}

function wrongKey(key: string, published: string | null): string | null {
  if (published === null) return 'no published key was given: anybody could have signed';
  return key === published ? null : 'another key signed than the one that was published';
}

function wrongOpening({ receipt: { order, open_tick: opening }, chain }: ReceiptFile): string | null {
  // Without `ts` the acceptance is known to the second: it is within that second.
  const taken = order.ts ?? at(order.create_time);
  const takenAtLast = order.ts ?? taken + 999;
  if (Math.floor(taken / 1_000) * 1_000 !== at(order.create_time)) return 'ts is not of the second of create_time';
  if (!opening) {
    if (order.open_price !== '' || order.result !== 'void')
      return 'a contract without an opening tick can only be void';
    const passed = chain.ticks.find((tick) => givenAt(tick) > takenAtLast && tick.time <= taken + OPENING_MS);
    return passed ? `tick ${passed.id} came within 5 s after the contract was taken, and did not open it` : null;
  }
  if (!chain.ticks.some((tick) => same(tick, opening))) return `the opening tick ${opening.id} is not in the chain`;
  if (compare(opening.price, order.open_price) !== 0)
    return `the contract opened at ${order.open_price}, its opening tick says ${opening.price}`;
  if (opening.time !== at(order.open_time)) return 'the opening tick is of another time than the opening';
  if (givenAt(opening) <= taken) return `the price of tick ${opening.id} was given before the contract was taken`;
  if (opening.time > takenAtLast + OPENING_MS) return `tick ${opening.id} came later than 5 s after the acceptance`;
  const earlier = chain.ticks.find((tick) => givenAt(tick) > takenAtLast && tick.time < opening.time);
  if (earlier) return `tick ${earlier.id} came first after the contract was taken, and did not open it`;
  if (at(order.expire_time) !== opening.time + order.seconds * 1_000)
    return `it expired at ${order.expire_time}, which is not ${order.seconds} s after its opening`;
  return null;
}

function wrongTicks({ receipt: { order, open_tick: opening, ticks }, chain }: ReceiptFile): string | null {
  if (!opening) return ticks.length === 0 ? null : 'ticks judge a contract that never opened';
  const expiry = at(order.expire_time);
  const seen = new Set<number>();
  // Of prices that were given at one moment the first counts.
  const judging = chain.ticks.filter((tick) => {
    const given = givenAt(tick);
    if (given <= expiry - WINDOW_MS || given > expiry || tick.time > expiry || seen.has(given)) return false;
    seen.add(given);
    return true;
  });
  const last = chain.ticks.at(-1);
  const first = chain.ticks[0];
  if (!first || !last || first.time > opening.time) return 'the chain does not begin with the opening tick';
  if (last.time < expiry) return 'the chain ends before the expiry: nobody knows what followed';
  for (const tick of ticks)
    if (!judging.some((one) => same(one, tick))) return `tick ${tick.id} is not one of those that judge`;
  const left = judging.find((one) => !ticks.some(({ id }) => id === one.id));
  return left ? `tick ${left.id} judges and was left out` : null;
}

/** Price by price, of equal ones by number: the middle one, of two the one with the later number. */
function median(ticks: readonly Tick[]): string | null {
  if (ticks.length < LEAST_TICKS) return null;
  const sorted = [...ticks].sort((a, b) => compare(a.price, b.price) || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  const upper = sorted[Math.floor(sorted.length / 2)]!;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]!;
  return BigInt(lower.id) > BigInt(upper.id) ? lower.price : upper.price;
}

function resultOf(order: ReceiptOrder, end: string | null): ReceiptOrder['result'] {
  if (end === null || order.open_price === '') return 'void';
  const moved = compare(end, order.open_price);
  if (moved === 0) return 'tie';
  return moved > 0 === (order.type === 1) ? 'win' : 'loss';
}

function wrongEnd({
  receipt: { order, rule, open_tick: opening, ticks, end_price: told },
}: ReceiptFile): string | null {
  if (rule !== 'median5') return `the rule ${rule} is unknown`;
  const end = opening ? median(ticks) : null;
  const result = resultOf(order, end);
  if (result !== order.result) return `the ticks say ${result}, the receipt says ${order.result}`;
  if (result === 'void') return null;
  if (end === null || told === '' || compare(told, end) !== 0) return `the median is ${end}, the receipt says ${told}`;
  if (compare(order.end_price, end) !== 0) return `the median is ${end}, the order says ${order.end_price}`;
  return null;
}

function wrongPayout({ receipt: { order, payout } }: ReceiptFile): string | null {
  const stake = units(order.number, MONEY_DECIMALS);
  const percent = units(order.profit_ratio, MONEY_DECIMALS);
  const win = (stake * percent) / 10n ** BigInt(MONEY_DECIMALS + 2);
  const profits = { win, loss: -stake, tie: 0n, void: 0n, '': 0n }[order.result];
  const back = { win: stake + win, loss: 0n, tie: stake, void: stake + units(order.fee, MONEY_DECIMALS), '': 0n };
  if (units(order.fact_profits, MONEY_DECIMALS) !== profits)
    return `profits should be ${text(profits)}, the order says ${order.fact_profits}`;
  if (units(payout, MONEY_DECIMALS) !== back[order.result])
    return `${text(back[order.result])} should have come back, the receipt says ${payout}`;
  return null;
}

/** Reads a file, or throws what it lacks. */
function readFile(file: unknown): ReceiptFile {
  const { receipt, chain } = object(file, 'the file') as Partial<ReceiptFile>;
  const { order, ticks, open_tick: opening } = object(receipt, 'receipt') as Partial<ReceiptFile['receipt']>;
  const fields = object(order, 'receipt.order');
  for (const name of ['create_time', 'open_time', 'expire_time'])
    if (!TIME_TEXT.test(String(fields[name])) && !(opening === null && fields[name] === ''))
      throw new Error(`receipt.order.${name} is no time`);
  if (fields['ts'] !== undefined && !Number.isSafeInteger(fields['ts'])) throw new Error('receipt.order.ts is no time');
  for (const name of ['number', 'fee', 'profit_ratio', 'fact_profits']) decimal(fields[name], `receipt.order.${name}`);
  if (![1, 2].includes(fields['type'] as number)) throw new Error('receipt.order.type is neither 1 nor 2');
  if (!['win', 'loss', 'tie', 'void'].includes(String(fields['result'])))
    throw new Error('the contract is not closed: there is nothing to check yet');
  decimal((receipt as unknown as Record<string, unknown>)['payout'], 'receipt.payout');
  for (const tick of list(ticks, 'receipt.ticks')) checkTick(tick);
  if (opening !== null) checkTick(opening);
  for (const tick of list((object(chain, 'chain') as Partial<ReceiptFile['chain']>).ticks, 'chain.ticks'))
    checkTick(tick);
  return file as ReceiptFile;
}

function checkTick(tick: unknown): void {
  const fields = object(tick, 'a tick');
  if (!/^\d+$/.test(String(fields['id']))) throw new Error('a tick has no number');
  if (typeof fields['time'] !== 'number' || fields['time'] % 1_000 !== 0)
    throw new Error(`the time of tick ${String(fields['id'])} is no full second`);
  decimal(fields['price'], `the price of tick ${String(fields['id'])}`);
  if (fields['at'] !== undefined && !Number.isSafeInteger(fields['at']))
    throw new Error(`the time at which the price of tick ${String(fields['id'])} was given is no number`);
}

function object(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} is missing`);
  return value as Record<string, unknown>;
}
function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${what} is no list`);
  return value;
}
function decimal(value: unknown, what: string): void {
  if (typeof value !== 'string' || !DECIMAL.test(value)) throw new Error(`${what} is no number`);
}

/** Units of a decimal text; digits beyond the scale must be zeros. */
function units(value: string, scale: number): bigint {
  const [, sign = '', whole = '0', fraction = ''] = DECIMAL.exec(value) ?? [];
  if (/[^0]/.test(fraction.slice(scale))) throw new Error(`${value} has more than ${scale} decimals`);
  const count = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  return sign === '-' ? -count : count;
}
function compare(a: string, b: string): -1 | 0 | 1 {
  const [left, right] = [units(a, 18), units(b, 18)];
  return left < right ? -1 : left > right ? 1 : 0;
}
function text(count: bigint): string {
  const digits = String(count < 0n ? -count : count).padStart(MONEY_DECIMALS + 1, '0');
  return `${count < 0n ? '-' : ''}${digits.slice(0, -MONEY_DECIMALS)}.${digits.slice(-MONEY_DECIMALS)}`;
}

/** A tick of version 1 counts by the second in which it was recorded. */
const givenAt = ({ at: given, time }: Tick): number => given ?? time;
const listed = (tick: Tick | null): readonly Tick[] => (tick ? [tick] : []);
const same = (a: Tick, b: Tick): boolean => a.hash === b.hash && a.id === b.id && a.time === b.time;
const at = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`);
const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const bytes16 = (value: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(value.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const bytes64 = (value: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(value), (char) => char.charCodeAt(0));
