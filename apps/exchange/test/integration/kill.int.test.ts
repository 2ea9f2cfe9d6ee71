import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ExchangeProcess } from './exchange-process.js';

jest.setTimeout(240_000);

const BTC_USDT = { legal_id: '3', currency_id: '1' };
interface Body { type: string; key?: string; id?: string; message: unknown; order?: { status: number; cancelled: number; filled_amount: string } }
/** What a client wrote down about one intent: `ok` with its id, `refused`, or `unknown` when no answer came. */
interface Intent { key: string; client: string; token: string; fields: Record<string, string>; outcome: 'ok' | 'refused' | 'unknown'; id?: string; cancelled?: boolean; why?: string }

let exchange: ExchangeProcess;
beforeAll(async () => {
  exchange = await ExchangeProcess.create('kill', { MAKER: 'off', PRICE_FEED: 'simulated', RATE_SCALE: '10000' });
  await exchange.start();
});
afterAll(async () => { await exchange.dispose(); });

const call = async (method: string, path: string, fields: Record<string, string> = {}, token?: string, key?: string): Promise<Body> => {
  const query = method === 'GET' ? `?${new URLSearchParams(fields).toString()}` : '';
  const response = await fetch(`${exchange.url}${path}${query}`, {
    method, signal: AbortSignal.timeout(8_000),
    headers: { ...(token ? { authorization: token } : {}), ...(key ? { 'idempotency-key': key } : {}), ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(method === 'GET' ? {} : { body: new URLSearchParams(fields).toString() }),
  });
  return (await response.json()) as Body;
};
const login = async (account: string): Promise<string> => (await call('POST', '/api/user/login', { user_string: account, password: 'Harbor-2468' })).message as string;
const settled = async <T>(ask: () => Promise<T>, good: (value: T) => boolean, withinMs = 15_000): Promise<T> => {
  const until = Date.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (good(value) || Date.now() > until) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

describe('SIGKILL of the one process in the middle of trading [FAULT-001]', () => {
  test.each([1, 2])('round %i: every answer stands, every open question gets one answer, money adds up', async (round) => {
    const tokens = [await login('trader1@demo.bourse'), await login('trader2@demo.bourse')];
    const log: Intent[] = [];
    let running = true;
    let serial = 0;
    const client = async (token: string, seed: number): Promise<void> => {
      let state = seed;
      const random = (below: number): number => { state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff; return state % below; };
      while (running) {
        serial += 1;
        const name = `k${round}-${seed}-${serial}`;
        const intent: Intent = {
          key: `${name}-intent`, client: name, token, outcome: 'unknown',
          fields: { ...BTC_USDT, type: String(1 + random(2)), target_price: `${56_000 + random(40)}.00`, amount: `0.00${1 + random(9)}`, client_order_id: name },
        };
        log.push(intent);
        try {
          const answer = await call('POST', '/api/coin/trade', intent.fields, token, intent.key);
          if (answer.type === 'pending') continue;
          intent.outcome = answer.type === 'ok' ? 'ok' : 'refused';
          if (answer.type !== 'ok') intent.why = answer.key ?? answer.type;
          if (answer.id) intent.id = answer.id;
          if (intent.id && random(3) === 0) {
            const cancel = await call('PUT', '/api/coin/trade', { id: intent.id }, token);
            if (cancel.type === 'ok') intent.cancelled = true;
          }
        } catch (error) {
          if (running) throw error;
        }
      }
    };
    const clients = [1, 2, 3, 4, 5, 6].map((seed) => client(tokens[seed % 2] as string, seed * 7919));
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    running = false;
    await exchange.kill();
    await Promise.all(clients);
    const accepted = log.filter(({ outcome }) => outcome === 'ok').length;
    if (accepted <= 20) throw new Error(`only ${accepted} of ${log.length} orders were accepted: ${[...new Set(log.map(({ outcome, why }) => `${outcome} ${why ?? ''}`))].join(', ')}`);

    const restartMs = await exchange.start();
    expect(restartMs).toBeLessThan(15_000);

    // Each ok has its one effect; each cancel that was answered stays one; each unknown is resolved by repeating its intent.
    const lost: string[] = [];
    for (const intent of log) {
      if (intent.outcome === 'unknown') {
        const answer = await settled(() => call('POST', '/api/coin/trade', intent.fields, intent.token, intent.key), ({ type }) => type !== 'pending');
        if (answer.type !== 'ok') { lost.push(`${intent.client}: repeat answered ${answer.type} ${answer.key}`); continue; }
        intent.id = answer.id ?? '';
      }
      if (intent.outcome === 'refused') continue;
      const found = await settled(() => call('GET', '/api/coin/order', { client_order_id: intent.client }, intent.token), ({ type }) => type === 'ok');
      const order = found.message as { id: string; status: number; cancelled: number };
      if (found.type !== 'ok' || order.id !== intent.id) lost.push(`${intent.client}: ${JSON.stringify(found)}, was ${intent.id}`);
      if (intent.cancelled && !(order.status === 2 && order.cancelled === 1)) lost.push(`${intent.client}: cancelled before, now ${JSON.stringify(order)}`);
    }
    expect(lost).toEqual([]);

    // The book is the sum of the open orders, and nothing is settled twice.
    const levels = new Map<string, bigint>();
    for (const token of tokens) {
      for (const path of ['/api/transaction_in', '/api/transaction_out']) {
        for (let page = 1; ; page++) {
          const { list, has_more } = (await call('POST', path, { page: String(page), ...BTC_USDT }, token)).message as { list: { price: string; number: string }[]; has_more: number };
          for (const row of list) {
            const level = `${path}@${plain(row.price)}`;
            levels.set(level, (levels.get(level) ?? 0n) + lots(row.number));
          }
          if (has_more === 0) break;
        }
      }
    }
    const book = (await settled(() => call('POST', '/api/transaction/deal', { ...BTC_USDT, depth: '100' }), ({ type, message }) => type === 'ok' && sizeOf(message) === levels.size)).message as { in: { price: string; number: string }[]; out: { price: string; number: string }[] };
    const shown = new Map([...book.in.map((level) => [`/api/transaction_in@${plain(level.price)}`, lots(level.number)] as const), ...book.out.map((level) => [`/api/transaction_out@${plain(level.price)}`, lots(level.number)] as const)]);
    expect([...shown].sort()).toEqual([...levels].sort());
    const audit = await settled(() => call('GET', '/dev/audit'), ({ message }) => (message as { ok: number } | undefined)?.ok === 1);
    expect(audit.message).toMatchObject({ ok: 1 });
    for (const token of tokens) expect((await call('GET', '/api/statement/check', {}, token)).message).toMatchObject({ ok: 1 });

    // Trading goes on by itself.
    const order = await call('POST', '/api/coin/trade', { ...BTC_USDT, type: '1', target_price: '50000.00', amount: '0.01' }, tokens[0]);
    expect(order.type).toBe('ok');
    expect((await call('PUT', '/api/coin/trade', { id: order.id ?? '' }, tokens[0])).type).toBe('ok');
  });

  test('SIGTERM ends it in order, and the next start is quick [FAULT-002]', async () => {
    expect(await exchange.stop()).toBe(0);
    expect(await exchange.start()).toBeLessThan(15_000);
  });
});

const plain = (text: string): string => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text);
const lots = (text: string): bigint => { const [whole = '0', fraction = ''] = text.split('.'); return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0')); };
const sizeOf = (message: unknown): number => { const book = message as { in: unknown[]; out: unknown[] }; return book.in.length + book.out.length; };
