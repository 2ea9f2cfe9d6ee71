import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { createClient } from 'redis';
import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import { RedisLink, RedisViews } from '../../src/asks/redis.js';

jest.setTimeout(testTimeoutMs(24_000));

const CHANNEL = 'redis-away';
const KEPT = `bourse:kept:${CHANNEL}`;
const { hostname, port: redisPort } = new URL(process.env.TEST_REDIS_URL!);
const redis = createClient({ url: process.env.TEST_REDIS_URL! });
beforeAll(() => redis.connect());
afterAll(() => redis.destroy());

/** A way to Redis that can be cut. `admit` decides about each connection, by its number since the last cut. */
let way: Server;
let admit: (connection: number) => Promise<boolean> | boolean = () => true;
let connections = 0;
const sockets = new Set<Socket>();
const cut = (): void => {
  connections = 0;
  for (const socket of sockets) socket.destroy();
  sockets.clear();
};
beforeEach(async () => {
  await redis.del(KEPT);
  way = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    connections += 1;
    void Promise.resolve(admit(connections)).then((isAdmitted) => {
      if (!isAdmitted) return client.destroy();
      const server = connect(Number(redisPort), hostname);
      server.on('error', () => client.destroy());
      client.on('close', () => server.destroy());
      return client.pipe(server).pipe(client);
    });
  });
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
});
let link: RedisLink;
afterEach(() => {
  link.close();
  cut();
  way.close();
});
const linked = (): RedisViews => {
  link = new RedisLink({ url: `redis://127.0.0.1:${(way.address() as AddressInfo).port}`, ca: null }, () => undefined);
  return new RedisViews(link);
};

test.each([1, 2])(
  'kept views that Redis has lost are published again once both lines are back, line %i last [LOG-076]',
  async (last) => {
    admit = () => true;
    const views = linked();
    await link.ready();
    const received: unknown[] = [];
    views.subscribe(CHANNEL, (payload) => received.push(payload));
    views.onGap(() => views.publish(CHANNEL, { again: true }, true));
    admit = async (connection) => {
      if (connection === last) await new Promise((resolve) => setTimeout(resolve, 1_000));
      return true;
    };
    cut();
    await eventually(async () => (await redis.get(KEPT)) === '{"again":true}', 10_000);
    await eventually(() => received.length > 0);
    expect(received[0]).toEqual({ again: true });
  },
);

test('views that were published and subscribed before Redis was there are not lost [LOG-076]', async () => {
  let isThere = false;
  admit = () => isThere;
  const views = linked();
  views.publish(CHANNEL, { first: true }, true);
  views.onGap(() => views.publish(CHANNEL, { again: true }, true));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await redis.get(KEPT)).toBeNull();
  isThere = true;
  await eventually(async () => (await redis.get(KEPT)) === '{"again":true}', 10_000);
});
