import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Alarms } from '@bourse/platform';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import type { Descriptions } from '../../shared/application/descriptions.js';
import { ExchangeAlarms } from './exchange-alarms.js';
import type { Routes } from './routes.js';

// Services are asked every two seconds.
jest.setTimeout(testTimeoutMs(10_000));

/** The status that the service of each path answers at `/readyz`. */
const statusOf: Record<string, number> = { books: 503, wallet: 200, bets: 200 };
const server = createServer((request, response) => {
  response.statusCode = statusOf[request.url?.split('/')[1] ?? ''] ?? 404;
  response.end('{"alarms":[]}');
});
let alarms: ExchangeAlarms;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const call = (service: string, policy: object): object => ({ service, policy });
  alarms = new ExchangeAlarms(
    { list: () => [] } as unknown as Alarms,
    {
      distributed: true,
      services: () =>
        Object.keys(statusOf).map((service) => ({ service, base: `http://127.0.0.1:${port}/${service}` })),
      moneyCalls: () => [call('books', {}), call('wallet', { rate: 'withdraw' }), call('bets', { breaker: 'bets' })],
    } as unknown as Routes,
    { makers: () => [{ service: 'books' }] } as unknown as Descriptions,
  );
  alarms.onApplicationBootstrap();
});
afterAll(() => {
  alarms.onApplicationShutdown();
  server.close();
});

test('the products of a service that is not ready are silent until it is ready again [STATUS-023]', async () => {
  const silentAre = (products: readonly string[]): Promise<readonly string[]> =>
    eventuallySatisfied(
      () => [...alarms.silentProducts()],
      (found) => JSON.stringify(found) === JSON.stringify(products),
    );
  expect(await silentAre(['spot'])).toEqual(['spot']);
  Object.assign(statusOf, { wallet: 503, bets: 500 });
  expect(await silentAre(['spot', 'withdraw', 'bets'])).toHaveLength(3);
  Object.assign(statusOf, { books: 200, wallet: 200, bets: 200 });
  expect(await silentAre([])).toEqual([]);
});
