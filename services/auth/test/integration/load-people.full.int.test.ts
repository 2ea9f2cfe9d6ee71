import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SEED_CURRENCIES } from '@bourse/contract';
import { Config, loadConfig } from '@bourse/platform';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authAsks } from '@bourse/messaging';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { loadBalances } from '../../src/seed/load-people.js';
import { loadPersonId, seedLoad } from '../../src/load-people.js';
import { PEPPER, startAuth, type AuthProcess } from './auth-process.js';

jest.setTimeout(testTimeoutMs(24_000));
const JWT = 'a signing secret for tests only';

let auth: AuthProcess;
let config: Config;
beforeAll(async () => {
  auth = await startAuth({ JWT_SECRET: JWT });
  config = loadConfig({
    BOURSE_DEV: '1',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'bourse-load-')),
    LEDGER_PARTITIONS: '3',
    PASSWORD_PEPPER: PEPPER,
    JWT_SECRET: JWT,
  });
});
afterAll(() => auth.end());

const payments = async (): Promise<
  {
    body: {
      userId: number;
      issuer: string;
      journals: { id: string; legs: { from: string; to: string; currency: number; amount: string }[] }[];
    };
  }[]
> =>
  (
    await auth.databases.query<{ payload: string }>(
      `select payload from auth.outbox where topic = 'ledger.commands' order by stream, number`,
    )
  ).flatMap(({ payload }) => JSON.parse(payload));

describe('people for load tests [AUTH-090]', () => {
  test('are added once, each with one payment from outside, beside the running service', async () => {
    const first = await seedLoad(config, auth.databases.url, { users: 260, sessions: false });
    expect(first).toEqual({ added: 260, people: [] });
    expect((await seedLoad(config, auth.databases.url, { users: 300, sessions: false })).added).toBe(40);
    expect((await seedLoad(config, auth.databases.url, { users: 300, sessions: false })).added).toBe(0);

    const paid = await payments();
    expect(new Set(paid.map(({ body }) => body.userId)).size).toBe(300);
    expect(paid).toHaveLength(300);
    const [one] = paid.filter(({ body }) => body.userId === loadPersonId(1));
    expect(one?.body.issuer).toBe('seed');
    expect(one?.body.journals.map(({ id }) => id)).toEqual([`seed:${loadPersonId(1)}`]);
    const legs = one?.body.journals[0]?.legs ?? [];
    expect(new Set(legs.map(({ from }) => from))).toEqual(new Set(['h.outside']));
    expect(
      Object.fromEntries(
        legs.map(({ to, currency, amount }) => [
          `${to.split('.')[1]}.${SEED_CURRENCIES.find(({ id }) => id === currency)?.name}`,
          amount,
        ]),
      ),
    ).toEqual(loadBalances());
  });

  test('sign in with the public demo password and may trade', async () => {
    const answer = await auth.post('/api/user/login', { user_string: 'load7@demo.bourse', password: 'Harbor-2468' });
    expect(answer).toMatchObject({ type: 'ok', id: loadPersonId(7) });
    expect(await auth.asks.ask(authAsks.session, { token: String(answer.message) })).toMatchObject({
      userId: loadPersonId(7),
      reviewStatus: 2,
      hasFundPassword: true,
    });
    expect(await auth.asks.ask(authAsks.fund, { userId: loadPersonId(7), password: 'fund66' })).toEqual({ ok: true });
  });

  test('get sessions without a sign-in; those of the run before end', async () => {
    const { people } = await seedLoad(config, auth.databases.url, { users: 3, sessions: true });
    const again = await seedLoad(config, auth.databases.url, { users: 3, sessions: true });
    expect(again.people.map(({ account }) => account)).toEqual([
      'load1@demo.bourse',
      'load2@demo.bourse',
      'load3@demo.bourse',
    ]);
    const session = (token: string | undefined): Promise<{ userId: number } | null> =>
      auth.asks.ask(authAsks.session, { token: String(token) });
    expect(await session(again.people[2]?.token)).toMatchObject({ userId: loadPersonId(3) });
    expect(await session(people[2]?.token)).toBeNull();
  });

  test('are refused where there is no demo', async () => {
    const production = { ...config, dev: false } as Config;
    await expect(seedLoad(production, auth.databases.url, { users: 1, sessions: false })).rejects.toThrow(
      'demo installs only',
    );
  });

  test('hold USDT 1,000,000 and as much worth of each coin traded for it, rounded down', () => {
    expect(loadBalances()).toEqual({
      'change.USDT': '1000000',
      'change.BTC': '17.64601459',
      'change.ETH': '239.60934093',
      'change.LTC': '2646.90312334',
      'change.XRP': '676223.96537733',
      'change.DOGE': '2026219.2774502',
      'change.ADA': '567118.4710486',
      'lever.USDT': '100000',
      'micro.USDT': '100000',
    });
  });
});
