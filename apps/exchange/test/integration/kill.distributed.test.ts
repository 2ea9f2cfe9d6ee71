import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SERVICE_NAMES } from '@bourse/platform';
import { TradingLog } from './trading-log.js';

jest.setTimeout(180_000);

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

describe('kill -9 of one service in the middle of trading [FAULT-003]', () => {
  let round = 0;
  beforeAll(() => {
    round = Date.now() % 100_000;
  });

  test.each(SERVICE_NAMES)('%s: it returns by itself, answers stand, nothing is settled twice', async (service) => {
    const traders = await TradingLog.signIn(url, `d${round}-${service}`, {
      termEvery: 6,
      exchangeEvery: 6,
      memberEvery: 12,
    });
    traders.start();
    for (const until = Date.now() + 20_000; traders.accepted < 40 && Date.now() < until;)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const killed = pidOf(service);
    process.kill(killed, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await traders.stop();
    if (traders.accepted < 20) throw new Error(traders.summary());
    await traders.tradesOn(30_000);
    expect(await traders.disagreements()).toEqual([]);
    expect(pidOf(service)).not.toBe(killed);
  });
});

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; \`npm test -- distributed\` sets it`);
  return value;
}
