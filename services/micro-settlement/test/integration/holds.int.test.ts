import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { testDatabases, type TestDatabases } from '@bourse/testing';
import { MicroAudit } from '../../src/audit/persistence/micro-audit.js';
import { MIGRATIONS } from '../../src/migrations.js';
import { SETTLE_MOVE } from '../../src/contracts/application/settlement.js';
import type { MicroDatabase } from '../../src/shared/application/database.js';

const CONTRACT = `insert into micro.contract (id, user_id, match_id, symbol, price_scale, currency_id, currency_name,
    scale, direction, seconds, stake, fee, reserve, ratio, state, accepted_at, expire_time, result, end_tick_ids)
  values ($1, 1, 1, 'BTC/USDT', 2, 3, 'USDT', 8, 'up', 30, 10, 0.1, 4, 40, 'closed', now(), now(), 'void', '{}')`;

describe('the holds that the audit expects for contracts, over PostgreSQL', () => {
  let world: TestDatabases;
  beforeEach(async () => {
    world = await testDatabases();
  }, 60_000);
  afterEach(() => world.end(), 60_000);

  test('stake and reserve until the settlement of a contract is booked [MICRO-036] [HARD-402]', async () => {
    const database = await world.databases.open({ schema: 'micro', migrations: MIGRATIONS });
    const audit = new MicroAudit(database as unknown as MicroDatabase);
    const all = Array.from({ length: (await audit.holdDigests()).length }, (_, bucket) => bucket);
    const needed = async (): Promise<readonly string[]> =>
      (await audit.holdLines(all)).lines.map(({ hold, amount }) => `${hold} ${amount}`);
    for (const id of [1, 2]) await world.query(CONTRACT, [id]);
    const begin = `insert into micro.saga (name, object) values ($1, $2)`;
    await world.query(begin, [SETTLE_MOVE, '1']);
    // Another saga, whose object is no number.
    await world.query(begin, ['insurance.vault', 'policy:2']);
    expect(await needed()).toEqual(['micro:1 14']);
    await world.query('delete from micro.saga where name = $1', [SETTLE_MOVE]);
    expect(await needed()).toEqual([]);
  });
});
