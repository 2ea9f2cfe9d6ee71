import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { io, type Socket } from 'socket.io-client';
import { freePort } from '@bourse/testing';

jest.setTimeout(600_000);

/** The gateway of the run, which is started again whenever it dies. */
const first = required('BOURSE_URL').replace(/\/$/, '');
const processes = required('BOURSE_PROCESSES');
const USER = 100_003;
const BTC_USDT = { legal_id: '3', currency_id: '1' };

interface Answer {
  readonly type: string;
  readonly message: unknown;
}
interface Since {
  readonly events: readonly { readonly event: string; readonly payload: { readonly user_seq: number } }[];
  readonly user_seq: number;
  readonly complete: number;
}
interface Pushed {
  readonly event: string;
  readonly seq: number;
  /** Its contents, without the time of sending. */
  readonly text: string;
}

const pidOfFirst = (): number =>
  (JSON.parse(readFileSync(processes, 'utf8')) as { children: Record<string, { pid: number }> }).children['gateway']!
    .pid;

/** A second gateway beside the one of the run: the same program and settings, at ports of its own. */
class AnotherGateway {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<AnotherGateway> {
    const of = (what: string): string[] =>
      readFileSync(`/proc/${pidOfFirst()}/${what}`, 'utf8').split('\0').slice(0, -1);
    const [program, ...args] = of('cmdline');
    const env = Object.fromEntries(
      of('environ').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    const [port, servicePort] = [await freePort(), await freePort()];
    const child = spawn(program!, args, {
      cwd: readlinkSync(`/proc/${pidOfFirst()}/cwd`),
      env: { ...env, PORT: String(port), BOURSE_SERVICE_PORT: String(servicePort), ...settings },
      stdio: 'ignore',
    });
    const another = new AnotherGateway(`http://127.0.0.1:${port}`, child);
    await ready(another.url);
    return another;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }
}

/** Follows a user's private events as a client does: by socket, and missed ones by a call. */
class Follower {
  readonly seen: Pushed[] = [];
  private socket: Socket | undefined;
  private last = 0;

  constructor(
    private readonly token: string,
    private readonly url: string,
  ) {}

  async open(at = this.url): Promise<void> {
    this.socket?.disconnect();
    const socket = io(at, {
      auth: { token: this.token },
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
    });
    this.socket = socket;
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    const early: [string, Since['events'][number]['payload']][] = [];
    let isCaughtUp = false;
    for (const event of ['order_update', 'balance_update', 'notice'])
      socket.on(event, (payload: Since['events'][number]['payload']) => {
        if (isCaughtUp) this.take(event, payload);
        else early.push([event, payload]);
      });
    const { user_seq: now } = (await socket.timeout(10_000).emitWithAck('login', USER)) as { user_seq: number };
    if (this.last === 0) this.last = now;
    else await this.catchUp(at);
    for (const [event, payload] of early) this.take(event, payload);
    isCaughtUp = true;
  }
  async catchUp(at: string): Promise<void> {
    const { events, complete } = await since(at, this.token, this.last);
    expect(complete).toBe(1);
    for (const { event, payload } of events) this.take(event, payload);
  }
  close(): void {
    this.socket?.disconnect();
  }
  private take(event: string, payload: Since['events'][number]['payload']): void {
    if (payload.user_seq <= this.last) return; // had at the other gateway, or by the other way
    this.last = payload.user_seq;
    this.seen.push({ event, seq: payload.user_seq, text: JSON.stringify({ ...payload, ts: 0 }) });
  }
}

describe('two gateways [SOCKET-016]', () => {
  let token: string;
  let second: AnotherGateway;
  const followers: Follower[] = [];
  const follow = async (url: string): Promise<Follower> => {
    const follower = new Follower(token, url);
    followers.push(follower);
    await follower.open();
    return follower;
  };
  beforeAll(async () => {
    const { message } = await call(first, 'POST', '/api/user/login', {
      user_string: 'trader3@demo.bourse',
      password: 'Harbor-2468',
    });
    token = message as string;
    second = await AnotherGateway.start();
  });
  afterAll(async () => {
    for (const follower of followers) follower.close();
    await second?.kill();
    await call(first, 'POST', '/api/coin/cancel_all', BTC_USDT, token);
  });

  /** Orders that are placed and cancelled, each time through the gateways in turn. */
  async function trade(orders: number, urls: readonly string[]): Promise<void> {
    for (let n = 0; n < orders; n += 1) {
      const at = urls[n % urls.length]!;
      const fields = { ...BTC_USDT, type: '1', target_price: '30000', amount: `0.00${1 + (n % 8)}` };
      const placed = await call(at, 'POST', '/api/coin/trade', fields, token);
      expect(placed).toMatchObject({ type: 'ok' });
      if (n % 3 === 2) await call(at, 'POST', '/api/coin/cancel_all', BTC_USDT, token);
    }
  }
  const textsOf = (seen: readonly Pushed[]): string[] => seen.map(({ text }) => text);
  /**
   * Checks that all get the same events under the same numbers, none missing, none twice; returns when no more arrive.
   */
  async function agree(...given: readonly Follower[]): Promise<readonly Pushed[]> {
    let [end, quietSince] = [0, Date.now()];
    await until('all to be seen', async () => {
      const now = (await since(first, token, 0)).user_seq;
      if (now !== end) [end, quietSince] = [now, Date.now()];
      return Date.now() - quietSince > 700 && given.every(({ seen }) => seen.at(-1)?.seq === end);
    });
    const [{ seen }, ...others] = given as [Follower, ...Follower[]];
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => end - seen.length + 1 + index));
    for (const other of others) expect(textsOf(other.seen)).toEqual(textsOf(seen));
    return seen;
  }

  test('number the events of a user alike; of one that is killed nothing is missing at the other', async () => {
    const here = await follow(first);
    const there = await follow(second.url);
    const moving = await follow(second.url);
    await trade(12, [first, second.url]);
    await agree(here, there, moving);
    // Killed during trading: the client switches to the first, with its last number.
    const trading = trade(12, [first]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await second.kill();
    await moving.open(first);
    await trading;
    const seen = await agree(here, moving);
    // The joining gateway knows earlier events and continues with the same numbers. Its limits are not those of a demo.
    second = await AnotherGateway.start({ RATE_SCALE: '1' });
    const before = seen[0]!.seq - 1;
    const [known, joined] = [await since(first, token, before), await since(second.url, token, before)];
    const withoutTimes = ({ events, user_seq, complete }: Since) => ({
      ...{ user_seq, complete },
      events: events.map(({ event, payload }) => ({ event, payload: { ...payload, ts: 0 } })),
    });
    expect(withoutTimes(joined)).toEqual(withoutTimes(known));
    expect(joined.complete).toBe(1);
    await moving.open(second.url);
    await trade(6, [second.url, first]);
    await agree(here, moving);
  });

  test('the gateway of the run is killed, and its next start continues from the numbers of the other', async () => {
    const there = await follow(second.url);
    await trade(3, [second.url]);
    const killed = pidOfFirst();
    process.kill(killed, 'SIGKILL');
    await trade(6, [second.url]);
    await until('the gateway to be started again', () => pidOfFirst() !== killed);
    await ready(first);
    const here = await since(first, token, there.seen[0]!.seq - 1);
    expect(here.complete).toBe(1);
    const end = here.user_seq;
    await until('all to be seen', () => (there.seen.at(-1)?.seq ?? 0) >= end);
    expect(here.events.map(({ payload }) => JSON.stringify({ ...payload, ts: 0 }))).toEqual(
      textsOf(there.seen.filter(({ seq }) => seq <= end)),
    );
  });

  test('a session that ends is closed at both, and the sockets of a user count in all', async () => {
    const { message } = await call(first, 'POST', '/api/user/login', {
      user_string: 'trader2@demo.bourse',
      password: 'Harbor-2468',
    });
    const opened: Socket[] = [];
    try {
      for (const url of [first, second.url, first, second.url, first])
        opened.push(await socketAt(url, message as string));
      // Five in all, though it has only two of them.
      await expect(socketAt(second.url, message as string)).rejects.toThrow('common.tooMany');
      const closed = opened.map((socket) => new Promise((resolve) => socket.once('session_closed', resolve)));
      expect(await call(second.url, 'GET', '/api/user/logout', {}, message as string)).toMatchObject({ type: 'ok' });
      expect(await Promise.all(closed)).toEqual(opened.map(() => ({ reason: 'ended' })));
    } finally {
      for (const socket of opened) socket.disconnect();
    }
  });
});

async function socketAt(url: string, token: string): Promise<Socket> {
  const socket = io(url, { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

const since = async (url: string, token: string, userSeq: number): Promise<Since> =>
  (await call(url, 'GET', '/api/stream/since', { user_seq: String(userSeq) }, token)).message as Since;

async function call(
  url: string,
  method: 'GET' | 'POST',
  path: string,
  fields: Readonly<Record<string, string>>,
  token?: string,
): Promise<Answer> {
  const address = new URL(path, url);
  if (method === 'GET') for (const [name, value] of Object.entries(fields)) address.searchParams.set(name, value);
  const response = await fetch(address, {
    method,
    headers: { ...(token ? { authorization: token } : {}), 'content-type': 'application/json' },
    ...(method === 'POST' ? { body: JSON.stringify(fields) } : {}),
  });
  return (await response.json()) as Answer;
}

const ready = (url: string): Promise<void> =>
  until(`${url} to be ready`, async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true, 180_000);

async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 90_000): Promise<void> {
  for (const end = Date.now() + withinMs; !(await isSo()); await new Promise((resolve) => setTimeout(resolve, 50)))
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; \`npm test -- distributed\` sets it`);
  return value;
}
