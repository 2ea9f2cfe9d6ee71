import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { outgrown, PageCount, testDatabases, type TestDatabases } from '@bourse/testing';
import { MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { PostgresAccounts } from '../../src/adapters/persistence/postgres-accounts.js';
import { PostgresLeverAudit } from '../../src/adapters/persistence/postgres-lever-audit.js';
import { PostgresPositions } from '../../src/adapters/persistence/postgres-positions.js';
import type { LeverDatabase } from '../../src/application/ports.js';
import { STATUS } from '../../src/domain/position.js';

const QUOTE = 3;
export const PERSON = 1;
const HOUR_MS = 3_600_000;

/** Positions of a person, of a state, of made-up figures that the table takes. */
export const POSITIONS = `insert into lever.lever_position (id, user_id, pair_id, quote, price_scale, number_scale,
    quote_scale, is_long, status, share, multiple, lots, origin_price, price, notional, caution, origin_caution, fee,
    overnight, burst, target, stop, closed_by, settlement, client_id, created_at, changed_at, opened_at, handled_at)
  select $1::bigint + n, case when $4::bigint = 0 then 1000 + n % 1000 else $4 end, 1, 3, 2, 6, 8, true, $3::smallint,
    1, 20, 10000, 6000000, 6000000, 60000000000, 3000000000, 3000000000, 0,
    0, 110000000, 0, 0, case when $3 in (2, 3) then 1 else 0 end, case when $3 in (2, 3) then 's' || n end, '',
    $1 + n, 0, case when $3 in (1, 2, 3) then 1 end, case when $3 = 3 then 2 end
  from generate_series(1, $2::int) n`;

/** Statements of owners, readers and the audit, counted in pages among few positions and beside `ended` ones. */
export const describeGrowth = (ended: number): void =>
  describe('statements about positions beside many closed ones', () => {
    let world: TestDatabases;
    let counted: PageCount;

    beforeEach(async () => {
      world = await testDatabases();
      await world.databases.open({ schema: 'lever', migrations: MIGRATIONS });
      counted = await PageCount.open(world.url, 'lever');
      for (const [first, status] of [
        STATUS.pending,
        STATUS.open,
        STATUS.closing,
        STATUS.closed,
        STATUS.revoked,
      ].entries())
        await world.query(POSITIONS, [100 * first, 10, status, PERSON]);
      await world.query('insert into lever.risk_account (user_id, quote) values ($1, $2)', [PERSON, QUOTE]);
    });
    afterEach(async () => {
      await counted?.end();
      await world?.end();
    });

    /** What owners ask when they begin and as they go on. */
    async function ofOwners(): Promise<ReadonlyMap<string, number>> {
      const database = counted as unknown as LeverDatabase;
      const positions = new PostgresPositions(database);
      const accounts = new PostgresAccounts(database);
      const account = { userId: PERSON, quote: QUOTE };
      await accounts.changed({ part: 0, of: 1 }, null);
      await accounts.changed({ part: 0, of: 1 }, HOUR_MS);
      await positions.liveOf([account]);
      await positions.openQuotes(PERSON);
      await positions.openQuotes(PERSON, 'long');
      await positions.settling(counted as never, ['s1']);
      await positions.lock(counted as never, ['1', '101']);
      return counted.taken();
    }

    /** What people and operators list, what the audit compares. */
    async function ofReaders(): Promise<ReadonlyMap<string, number>> {
      const database = counted as unknown as LeverDatabase;
      const positions = new PostgresPositions(database);
      const audit = new PostgresLeverAudit(database);
      for (const status of [undefined, STATUS.pending, STATUS.open, STATUS.closing, STATUS.closed, STATUS.revoked])
        for (const userId of [undefined, PERSON])
          for (const quote of [undefined, QUOTE]) await positions.list({ userId, status, quote }, 0, 10);
      await positions.list({ userId: PERSON, status: STATUS.open, quote: QUOTE, pairIds: [1] }, 0, 10);
      await positions.openSums(PERSON, [HOUR_MS, 2 * HOUR_MS]);
      await audit.wrongs();
      await audit.holdDigests();
      await audit.outcomes();
      await audit.gains(new Map([[1, 6_100_000n]]));
      return counted.taken();
    }

    test(`beside ${ended} closed positions each statement reads as many pages as beside ten [LEVER-056]`, async () => {
      const [owners, readers] = [await ofOwners(), await ofReaders()];
      await world.query(POSITIONS, [1_000_000, ended, STATUS.closed, 0]);
      await world.query(POSITIONS, [2_000_000, ended / 2, STATUS.closed, PERSON]);
      await world.query(POSITIONS, [3_000_000, ended / 2, STATUS.revoked, PERSON]);
      await world.query(
        `insert into lever.risk_account (user_id, quote, touched_at)
       select user_id, 3, clock_timestamp() - interval '1 day' from lever.lever_position
       where user_id >= 1000 group by 1`,
      );
      // Owners go on before there are statistics; lists grow over days.
      expect(outgrown(owners, await ofOwners())).toEqual([]);
      await world.query('analyze');
      expect(outgrown(owners, await ofOwners())).toEqual([]);
      expect(outgrown(readers, await ofReaders())).toEqual([]);
    });
  });
