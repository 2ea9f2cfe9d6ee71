import { expect, jest, test } from '@jest/globals';
import type { Order } from '@bourse/matching';
import { sampleOrder } from '@bourse/matching/samples';
import { EngineReports } from './engine-reports.js';
import { findOrder, findToChange } from './find-order.js';
import { LocalBooks } from './local-books.js';
import type { OrderReads } from './ports.js';

const USER = 300_001;
const done = (id: string): Order => ({ ...sampleOrder({ id, clientOrderId: `name-${id}`, userId: USER }), status: 2 });

test('a change of an order that ended lately here is refused without a row being read [SPOT-268]', async () => {
  const byId = jest.fn<OrderReads['byId']>(() => Promise.resolve(null));
  const reports = new EngineReports();
  const places = { books: new LocalBooks(), reads: { byId } as unknown as OrderReads, reports };
  reports.noteDone(done('7'));
  expect(await findToChange(places, USER, { id: '7' })).toMatchObject({ id: '7', status: 2 });
  expect(await findToChange(places, USER, { id: '7', clientOrderId: 'name-7' })).toMatchObject({ id: '7' });
  expect(byId).not.toHaveBeenCalled();
  // Another person's order, another name and an order of before are looked for in the rows.
  for (const [userId, name] of [
    [USER + 1, { id: '7' }],
    [USER, { id: '7', clientOrderId: 'name-8' }],
    [USER, { id: '6' }],
  ] as const)
    await expect(findToChange(places, userId, name)).rejects.toMatchObject({ key: 'common.notFound' });
  expect(byId).toHaveBeenCalledTimes(3);
});

test('a client id that was free again names its newest order, though its row is not there yet [SPOT-275]', async () => {
  const reports = new EngineReports();
  const order = (id: string, placedAt: number): Order =>
    sampleOrder({ id, clientOrderId: 'mine', userId: USER, placedAt });
  let row = order('1', 1);
  const reads = { byClientId: () => Promise.resolve(row) } as unknown as OrderReads;
  reports.remember(order('2', 2));
  expect(await findOrder(reads, reports, USER, { clientOrderId: 'mine' })).toMatchObject({ id: '2', sequence: 0 });
  // Its row is as new as it gets.
  row = { ...order('2', 2), sequence: 9 };
  expect(await findOrder(reads, reports, USER, { clientOrderId: 'mine' })).toMatchObject({ id: '2', sequence: 9 });
  reports.committed('2');
});

test('only the last orders that ended are kept [SPOT-268]', () => {
  const reports = new EngineReports();
  for (let id = 0; id <= 20_000; id += 1) reports.noteDone(done(String(id)));
  expect([reports.findDone(USER, '0'), reports.findDone(USER, '1')?.id, reports.findDone(USER, '20000')?.id]).toEqual([
    null,
    '1',
    '20000',
  ]);
});
