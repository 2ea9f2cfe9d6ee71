import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyReceipt, type CheckName, type ReceiptFile, type ReceiptOrder, type Tick } from './receipt.js';

const START = Date.UTC(2026, 10, 22, 12, 0, 0);
const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = rawKey(publicKey);

function rawKey(key: KeyObject): string {
  return Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url').toString('base64');
}
function chainOf(prices: readonly (string | null)[], first = START): Tick[] {
  const ticks: Tick[] = [];
  for (const [second, price] of prices.entries()) {
    if (price === null) continue;
    const previous = ticks.at(-1);
    const time = first + second * 1_000;
    ticks.push(hashed(previous?.hash ?? '0'.repeat(64), String(101 + ticks.length), time, price, time - 200));
  }
  return ticks;
}
/** Without `at`: a tick of version 1. */
function hashed(previous: string, id: string, time: number, price: string, at?: number): Tick {
  const symbol = 'BTC/USDT';
  const said = [previous, id, symbol, time, price, ...(at === undefined ? [] : [at])];
  const hash = createHash('sha256').update(said.join('|')).digest('hex');
  return { id, symbol, time, price, ...(at !== undefined && { at }), prev_hash: previous, hash };
}
function signed(ticks: readonly Tick[], key = privateKey, shown = KEY): ReceiptFile['chain'] {
  const last = Buffer.from(ticks.at(-1)!.hash, 'hex');
  return { ticks, public_key: shown, signature: sign(null, last, key).toString('base64') };
}
/** A contract of 30 s over these last five prices, null for a second without a tick; opened at 60,000.00. */
function receipt(last: readonly (string | null)[], order: Partial<ReceiptOrder> = {}, payout = '150.00000000') {
  const prices = [...Array.from({ length: 26 }, () => '60000'), ...last, '60020'];
  const ticks = chainOf(prices);
  const opening = ticks[0]!;
  const expiry = opening.time + 30_000;
  return {
    receipt: {
      order: {
        id: '77',
        symbol_name: 'BTC/USDT',
        type: 1,
        seconds: 30,
        number: '100.00000000',
        fee: '0.20000000',
        profit_ratio: '50',
        open_price: '60000.00',
        end_price: '60011.00',
        result: 'win',
        fact_profits: '50.00000000',
        create_time: timeText(START - 1_000),
        open_time: timeText(START),
        expire_time: timeText(expiry),
        ...order,
      } satisfies ReceiptOrder,
      rule: 'median5',
      tick_version: 2,
      open_tick: opening,
      ticks: ticks.filter(({ time }) => time > expiry - 5_000 && time <= expiry),
      end_price: order.end_price ?? '60011.00',
      payout,
    },
    chain: signed(ticks),
  } satisfies ReceiptFile;
}
const FIVE = ['60010', '60012.5', '60011', '60009', '60013'];
const faults = async (file: unknown, key: string | null = KEY): Promise<CheckName[]> =>
  (await verifyReceipt(file, key)).filter(({ fault }) => fault !== null).map(({ check }) => check);

describe('a receipt that holds [VERIFY-001]', () => {
  test('win, loss, tie and void of the worked examples', async () => {
    expect(await faults(receipt(FIVE))).toEqual([]);
    const loss = { type: 2, result: 'loss', fact_profits: '-100.00000000' } as const;
    expect(await faults(receipt(FIVE, loss, '0.00000000'))).toEqual([]);
    const tie = { result: 'tie', end_price: '60000.00', fact_profits: '0.00000000' } as const;
    expect(await faults(receipt(Array(5).fill('60000'), tie, '100.00000000'))).toEqual([]);
    const none = { result: 'void', end_price: '', fact_profits: '0.00000000' } as const;
    expect(await faults(receipt([null, null, null, '60009', '60013'], none, '100.20000000'))).toEqual([]);
  });
  test('four ticks: the later of the two middle ones', async () => {
    const order = { end_price: '60011', fact_profits: '50.00000000' } as const;
    expect(await faults(receipt([null, '60010', '60012', '60011', '60013'], order))).toEqual([]);
    expect(await faults(receipt([null, '60010', '60012', '60011', '60013'], { ...order, end_price: '60012' }))).toEqual(
      ['end'],
    );
  });
});

/** The receipt with a new chain of ticks that have this `at` and `version`; null: the receipt has no version. */
function retimed(
  good: ReturnType<typeof receipt>,
  atOf: (tick: Tick, place: number) => number | undefined,
  version: number | null = 2,
): ReceiptFile {
  const ticks: Tick[] = [];
  for (const [place, tick] of good.chain.ticks.entries())
    ticks.push(hashed(ticks.at(-1)?.hash ?? '0'.repeat(64), tick.id, tick.time, tick.price, atOf(tick, place)));
  const byId = (id: string): Tick => ticks.find((tick) => tick.id === id)!;
  const { tick_version: _, ...told } = good.receipt;
  return {
    receipt: {
      ...told,
      ...(version !== null && { tick_version: version }),
      open_tick: byId(told.open_tick.id),
      ticks: told.ticks.map(({ id }) => byId(id)),
    },
    chain: signed(ticks),
  };
}

describe('when the prices were given [HARD-481]', () => {
  test('receipts of version 1, of version 2 and over an upgrade hold', async () => {
    const good = receipt(FIVE);
    expect(await faults(retimed(good, () => undefined, null))).toEqual([]);
    expect(await faults(retimed(good, () => undefined, 1))).toEqual([]);
    expect(await faults(retimed(good, (tick, place) => (place < 10 ? undefined : tick.at)))).toEqual([]);
  });
  test('a version that its ticks do not have, and a tick of version 1 after one of version 2', async () => {
    const good = receipt(FIVE);
    expect(await faults(retimed(good, ({ at }) => at, 1))).toEqual(['hashes']);
    expect(await faults(retimed(good, () => undefined, 2))).toEqual(['hashes']);
    expect(await faults(retimed(good, (tick, place) => (place === 10 ? undefined : tick.at)))).toEqual(['links']);
  });
  test('another time of a price under the same hash', async () => {
    const good = receipt(FIVE);
    const ticks = good.chain.ticks.map((tick, place) => (place === 3 ? { ...tick, at: tick.at! + 1 } : tick));
    expect(await faults({ ...good, chain: { ...good.chain, ticks } })).toEqual(['hashes']);
  });
  test('a contract that opened at a price from before it [HARD-480]', async () => {
    const good = receipt(FIVE);
    expect(await faults(retimed(good, (tick, place) => (place === 0 ? START - 1_500 : tick.at)))).toEqual(['opening']);
    const taken = (ts: number): ReceiptFile => ({
      ...good,
      receipt: { ...good.receipt, order: { ...good.receipt.order, ts } },
    });
    expect(await faults(taken(START - 300))).toEqual([]);
    expect(await faults(taken(START - 200))).toEqual(['opening']);
    expect(await faults(taken(START + 1_500))).toEqual(['opening']);
  });
  test('prices given before the last five seconds, or twice at one moment [HARD-480]', async () => {
    const good = receipt(FIVE);
    const late = retimed(good, (tick, place) => (place === 26 ? tick.time - 2_000 : tick.at));
    expect(await faults(late)).toEqual(['ticks']);
    const repeated = retimed(good, (tick, place) => (place === 28 ? tick.time - 1_200 : tick.at));
    expect(await faults(repeated)).toEqual(['ticks']);
    const { receipt: told } = repeated;
    const without = { ...told, ticks: told.ticks.filter(({ id }) => id !== good.chain.ticks[28]!.id) };
    expect(await faults({ ...repeated, receipt: without })).not.toContain('ticks');
  });
  test('a contract that is void although a price came within 5 s [HARD-480]', async () => {
    const good = receipt(FIVE);
    const order = {
      ...good.receipt.order,
      open_price: '',
      end_price: '',
      open_time: '',
      expire_time: '',
      result: 'void',
      fact_profits: '0.00000000',
    } as const;
    const voided = { ...good.receipt, order, open_tick: null, ticks: [], end_price: '', payout: '100.20000000' };
    expect(await faults({ receipt: voided, chain: good.chain })).toEqual(['opening']);
    const later = { ...good.chain, ticks: good.chain.ticks.slice(6) };
    expect(await faults({ receipt: voided, chain: later })).toEqual([]);
  });
});

describe('each forgery is named [VERIFY-002]', () => {
  let good: ReturnType<typeof receipt>;
  beforeAll(() => {
    good = receipt(FIVE);
  });
  const withChain = (ticks: readonly Tick[], chain = signed(ticks)): ReceiptFile => ({ ...good, chain });

  test('a tick whose price was changed', async () => {
    const ticks = good.chain.ticks.map((tick, at) => (at === 3 ? { ...tick, price: '1' } : tick));
    expect(await faults(withChain(ticks, { ...good.chain, ticks }))).toEqual(['hashes']);
  });
  test('a tick that was removed', async () => {
    const ticks = good.chain.ticks.filter((_, at) => at !== 3);
    expect(await faults(withChain(ticks, { ...good.chain, ticks }))).toEqual(['links']);
  });
  test('a tick changed with its hash: the next one does not follow it', async () => {
    const ticks = good.chain.ticks.map((tick, at) =>
      at === 3 ? hashed(tick.prev_hash, tick.id, tick.time, '60001', tick.at) : tick,
    );
    expect(await faults(withChain(ticks, { ...good.chain, ticks }))).toEqual(['links']);
  });
  test('a whole chain made again: its signatures are missing', async () => {
    const ticks = chainOf(good.chain.ticks.map(() => '61000'));
    const told = ticks.filter(({ id }) => good.receipt.ticks.some((tick) => tick.id === id));
    const order = { ...good.receipt.order, open_price: '61000.00', end_price: '61000.00', result: 'tie' } as const;
    const forged = {
      receipt: {
        ...good.receipt,
        order: { ...order, fact_profits: '0.00000000' },
        open_tick: ticks[0]!,
        ticks: told,
        end_price: '61000.00',
        payout: '100.00000000',
      },
      chain: { ...good.chain, ticks },
    };
    expect(await faults(forged)).toEqual(['signature']);
  });
  test('another key: the signature holds, and is not of the exchange', async () => {
    const other = generateKeyPairSync('ed25519');
    const chain = signed(good.chain.ticks, other.privateKey, rawKey(other.publicKey));
    expect(await faults(withChain(good.chain.ticks, chain))).toEqual(['key']);
    expect(await faults(good, null)).toEqual(['key']);
  });
  test('a tick that judges was left out, or one that does not was taken', async () => {
    const { receipt: told } = good;
    const without = { ...good, receipt: { ...told, ticks: told.ticks.slice(1) } };
    expect(await faults(without)).toContain('ticks');
    const foreign = { ...good, receipt: { ...told, ticks: [...told.ticks, good.chain.ticks[5]!] } };
    expect(await faults(foreign)).toContain('ticks');
  });
  test('a chain that ends before the expiry', async () => {
    expect(await faults(withChain(good.chain.ticks.slice(0, 30)))).toContain('ticks');
  });
  test('another opening: price, time, or a later tick', async () => {
    const order = (fields: Partial<ReceiptOrder>): ReceiptFile => ({
      ...good,
      receipt: { ...good.receipt, order: { ...good.receipt.order, ...fields } },
    });
    expect(await faults(order({ open_price: '60001.00' }))).toContain('opening');
    expect(await faults(order({ open_time: timeText(START + 1_000) }))).toContain('opening');
    expect(await faults(order({ expire_time: timeText(START + 31_000) }))).toContain('opening');
    const later = {
      ...good,
      receipt: {
        ...good.receipt,
        open_tick: good.chain.ticks[1]!,
        order: {
          ...good.receipt.order,
          create_time: timeText(START - 2_000),
          open_time: timeText(START + 1_000),
          expire_time: timeText(START + 31_000),
        },
      },
    };
    expect(await faults(later)).toContain('opening');
  });
  test('a result or a price that does not follow from the ticks', async () => {
    const lost = { result: 'loss', fact_profits: '-100.00000000' } as const;
    expect(await faults(receipt(FIVE, lost, '0.00000000'))).toEqual(['end']);
    expect(await faults(receipt(FIVE, { end_price: '60012.50' }))).toEqual(['end']);
    const none = { result: 'void', end_price: '', fact_profits: '0.00000000' } as const;
    expect(await faults(receipt(FIVE, none, '100.20000000'))).toEqual(['end']);
  });
  test('a payout that does not follow from the result', async () => {
    expect(await faults(receipt(FIVE, {}, '149.99999999'))).toEqual(['payout']);
    expect(await faults(receipt(FIVE, { fact_profits: '49.00000000' }))).toEqual(['payout']);
  });
  test('a file that is no receipt', async () => {
    for (const wrong of [null, {}, { receipt: {} }, { ...good, chain: null }, 'x'])
      expect(await faults(wrong)).toEqual(['shape']);
    const running = { ...good, receipt: { ...good.receipt, order: { ...good.receipt.order, result: '' } } };
    expect(await faults(running)).toEqual(['shape']);
  });
});

describe('the program, without a server or a build [VERIFY-003]', () => {
  const program = fileURLToPath(new URL('../bin/bourse-verify.mjs', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'bourse-verify-'));
  const saved = (name: string, file: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(file));
    return path;
  };
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('lists its checks, and that all hold', () => {
    const told = execFileSync(process.execPath, [program, saved('good.json', receipt(FIVE)), '--key', KEY], {
      encoding: 'utf8',
    });
    expect(told.trim().split('\n')).toHaveLength(10);
    expect(told).toContain('The receipt holds.');
    expect(told).not.toContain('WRONG');
  });
  test('names the fault and ends with 1; a file that is none ends with 2', () => {
    const wrong = spawnSync(
      process.execPath,
      [program, saved('wrong.json', receipt(FIVE, {}, '1.00000000')), '--key', KEY],
      {
        encoding: 'utf8',
      },
    );
    expect(wrong.status).toBe(1);
    expect(wrong.stdout).toContain('WRONG  150.00000000 should have come back, the receipt says 1.00000000');
    expect(spawnSync(process.execPath, [program, join(folder, 'none.json')]).status).toBe(2);
    expect(spawnSync(process.execPath, [program]).status).toBe(2);
  });
});
