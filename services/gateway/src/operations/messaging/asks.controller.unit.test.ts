import { expect, test } from '@jest/globals';
import { DEMO_PEOPLE } from '@bourse/contract';
import type { Config } from '@bourse/platform';
import type { Breakers } from '../../breakers/application/breakers.js';
import type { Uploads } from '../../uploads/application/uploads.js';
import type { ExchangeAlarms } from '../../edge/http/exchange-alarms.js';
import type { GatewayDatabase } from '../../shared/persistence/gateway-database.js';
import { GatewayAsksController } from './asks.controller.js';

/** The question controller of a gateway whose uploads are only recorded. */
function asksOf(dev: boolean) {
  const kept: unknown[] = [];
  const uploads = {
    add: (userId: number, scene: string, file: Buffer) => {
      kept.push([userId, scene, file.toString('utf8')]);
      return Promise.resolve('/api/upload/x');
    },
  };
  const asks = new GatewayAsksController(
    uploads as unknown as Uploads,
    {} as Breakers,
    {} as ExchangeAlarms,
    { dev } as Config,
    {} as GatewayDatabase,
  );
  return { asks, kept };
}
const image = Buffer.from('a picture').toString('base64');
const [{ id } = { id: 0 }] = DEMO_PEOPLE;

test('a picture of the demo people is kept as their own upload, on a demo install [AUTH-143]', async () => {
  const { asks, kept } = asksOf(true);
  expect(await asks.keepDemoPicture({ userId: id, image })).toEqual({ address: '/api/upload/x' });
  expect(kept).toEqual([[id, 'pay', 'a picture']]);
});

test('keeps pictures for demo people only, and for nobody on a real exchange [AUTH-143]', async () => {
  const demo = asksOf(true);
  await expect(demo.asks.keepDemoPicture({ userId: 1, image })).rejects.toMatchObject({ key: 'common.forbidden' });
  const real = asksOf(false);
  await expect(real.asks.keepDemoPicture({ userId: id, image })).rejects.toMatchObject({ key: 'common.forbidden' });
  expect([...demo.kept, ...real.kept]).toEqual([]);
});
