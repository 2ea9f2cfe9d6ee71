import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { cleanUp, start } from './service-process.js';

jest.setTimeout(testTimeoutMs(120_000));
afterAll(cleanUp);

describe('a service that gets SIGTERM while it starts', () => {
  /** Accepts connections and sends nothing, like a database behind a network that is down. */
  let silent: Server;
  const asked: Socket[] = [];
  beforeAll(async () => {
    silent = createServer((socket) => asked.push(socket)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
  });
  afterAll(() => {
    for (const socket of asked) socket.destroy();
    silent.close();
  });

  // The kernel drops signals for which the first process of a container has no handler: there must be one, recognisable
  // by its exit code. Without a handler a process elsewhere is killed by the signal.
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends at once on %s [DEPLOY-021]', async (signal, code) => {
    const { port } = silent.address() as AddressInfo;
    const before = asked.length;
    const service = start('notices', { DATABASE_URL: `postgres://bourse:waits@127.0.0.1:${port}/exchange` });
    await service.until(() => asked.length > before);
    const told = Date.now();
    service.child.kill(signal);
    expect(await service.ended).toEqual({ code, signal: null });
    expect(Date.now() - told).toBeLessThan(testTimeoutMs(1_000));
  });
});
