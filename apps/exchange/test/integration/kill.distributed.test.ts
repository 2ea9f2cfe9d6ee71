import { readFileSync } from 'node:fs';
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

/** What is accepted between two kills: something must be under way when the next service dies. */
const BETWEEN_KILLS = 15;

describe('kill -9 of one service after the other in the middle of trading', () => {
  test('each returns by itself, answers stand, nothing is settled twice [FAULT-003] [START-006]', async () => {
    await eventually(allReady, 90_000);
    const traders = await TradingLog.signIn(url, `d${Date.now() % 100_000}`, {
      termEvery: 6,
      exchangeEvery: 6,
      memberEvery: 12,
    });
    traders.start();
    for (const service of SERVICE_NAMES) {
      const until = traders.accepted + BETWEEN_KILLS;
      await eventually(() => traders.accepted >= until, 120_000);
      const killed = pidOf(service);
      process.kill(killed, 'SIGKILL');
      // At its address and with its part whole, as a process of its own: no other service answers for it.
      await eventually(() => pidOf(service) !== killed, 60_000);
      await eventually(allReady, 120_000);
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
