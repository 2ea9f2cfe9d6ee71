import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { SERVICE_NAMES } from '@bourse/platform';
import { eventually } from '@bourse/testing/eventually';
import { TradingLog } from './trading-log.js';

jest.setTimeout(1_200_000);

const url = required('BOURSE_URL').replace(/\/$/, '');
/** File of the running processes, kept by the distributed start: name → pid. */
const processes = required('BOURSE_PROCESSES');
const pidOf = (service: string): number => {
  const pid = (JSON.parse(readFileSync(processes, 'utf8')) as { children: Record<string, { pid: number }> }).children[
    service
  ]?.pid;
  if (pid === undefined) throw new Error(`no process of ${service} in ${processes}`);
  return pid;
};

const addresses = Object.values(JSON.parse(required('BOURSE_READY')) as Record<string, string>);
/** Whether every service answers that it can serve. */
const allReady = async (): Promise<boolean> => {
  const answers = await Promise.all(
    addresses.map((address) =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      ),
    ),
  );
  return answers.every(Boolean);
};

/** Process id of the database, which writes it into its folder beside the list of processes. */
const databasePid = (): number => {
  const file = join(dirname(processes), 'postgres', 'postmaster.pid');
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!(pid > 0)) throw new Error(`no process of the database in ${file}`);
  return pid;
};

/** Orders accepted between two kills, so that something is under way when the next process dies. */
const BETWEEN_KILLS = 15;
/** The edge, the owner of the money, the owner of the books, the recorder of prices, and a product. */
const ONE_OF_EACH_KIND: readonly string[] = ['gateway', 'wallet-ledger', 'spot-matching', 'market-data', 'savings'];
const SERVICES = SERVICE_NAMES.filter((name) => process.env['TEST_FULL'] === '1' || ONE_OF_EACH_KIND.includes(name));
/**
 * The processes that die, and how the process id of each is found: one service of each kind (every service in the full
 * run), then every server.
 */
const VICTIMS = [
  ...[...SERVICES, 'redis', 'kafka'].map((name) => [name, () => pidOf(name)] as const),
  ['postgres', databasePid] as const,
];

describe('kill -9 of one process after the other in the middle of trading', () => {
  test('each comes back, answers stay true, nothing is settled twice [FAULT-003] [START-006]', async () => {
    await eventually(allReady, 90_000);
    const traders = await TradingLog.signIn(url, `d${Date.now() % 100_000}`, {
      termEvery: 6,
      exchangeEvery: 6,
      memberEvery: 12,
    });
    traders.start();
    for (const [, readPid] of VICTIMS) {
      const until = traders.accepted + BETWEEN_KILLS;
      await eventually(() => traders.accepted >= until, 60_000);
      const killed = readPid();
      process.kill(killed, 'SIGKILL');
      // A process of its own takes its place at the same address, and every service can serve again.
      await eventually(() => readPid() !== killed, 30_000);
      await eventually(allReady, 60_000);
    }
    await traders.stop();
    await traders.tradesOn(90_000);
    expect(await traders.disagreements()).toEqual([]);
  });
});

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; \`npm test -- distributed\` sets it`);
  return value;
}
