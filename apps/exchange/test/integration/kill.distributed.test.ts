import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SERVICE_NAMES } from '@bourse/platform';
import { eventually } from '@bourse/testing';
import { TradingLog } from './trading-log.js';

jest.setTimeout(400_000);

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

  // Whoever was killed last may still be on its way up.
  beforeEach(async () => {
    const addresses = Object.values(JSON.parse(required('BOURSE_READY')) as Record<string, string>);
    const isReady = (address: string): Promise<boolean> =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(async () => (await Promise.all(addresses.map(isReady))).every(Boolean), 90_000);
  });

  test.each(SERVICE_NAMES)('%s: it returns by itself, answers stand, nothing is settled twice', async (service) => {
    const traders = await TradingLog.signIn(url, `d${round}-${service}`, {
      termEvery: 6,
      exchangeEvery: 6,
      memberEvery: 12,
    });
    traders.start();
    // On busy cores it takes a while until there is something to lose.
    await eventually(() => traders.accepted >= 40, 120_000);
    const killed = pidOf(service);
    process.kill(killed, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await traders.stop();
    await traders.tradesOn(90_000);
    expect(await traders.disagreements()).toEqual([]);
    expect(pidOf(service)).not.toBe(killed);
  });
});

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; \`npm test -- distributed\` sets it`);
  return value;
}
