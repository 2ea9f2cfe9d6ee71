import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { outgrown, PageCount, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { MicroAudit } from '../../src/audit/persistence/micro-audit.js';
import { MIGRATIONS } from '../../src/migrations.js';
import { PostgresContracts } from '../../src/contracts/persistence/postgres-contracts.js';
import { PostgresPolicies } from '../../src/insurance/persistence/postgres-policies.js';
import { PostgresTicks } from '../../src/ticks/persistence/postgres-ticks.js';
import type { MicroDatabase } from '../../src/shared/application/database.js';

jest.setTimeout(testTimeoutMs(24_000));

const PERSON = 1;
const USDT = 3;
const ENDED = 50_000;
const NOW = Date.parse('2026-05-19T12:00:00Z');
const PAGE = { page: 1, size: 10, offset: 0 };

/** Contracts of a state, of one person or (0) of many, by no policy or by that of the person. */
const CONTRACTS = `insert into micro.contract (id, user_id, match_id, symbol, price_scale, currency_id, currency_name,
    scale, direction, seconds, stake, fee, reserve, ratio, policy_id, state, accepted_at, expire_time, result,
    end_tick_ids)
  select $1::bigint + n, case when $4::bigint = 0 then 1000 + n % 1000 else $4 end, 1, 'BTC/USDT', 2, 3, 'USDT', 8,
    'up', 30, 10, 0.1, 4, 40, $5::bigint, $3,
    case when $3 <> 'waiting' then to_timestamp($6::bigint / 1000) + n * interval '1 ms' end,
    to_timestamp($6 / 1000) + interval '30 s', case when $3 = 'closed' then 'win' end, '{}'
  from generate_series(1, $2::int) n`;
const CLAIMS = `insert into micro.claim (id, policy_id, user_id, currency_id, scale, amount, state, created_at)
  select $1::bigint + n, 1, $3::bigint, 3, 8, 10, 'paid', to_timestamp($4::bigint / 1000) + n * interval '1 ms'
  from generate_series(1, $2::int) n`;
const POLICIES = `insert into micro.policy (id, user_id, type_id, currency_id, currency_name, scale, amount, premium,
    vault, running, terms, state, created_at)
  select $1::bigint + n, $3::bigint, 1, 3, 'USDT', 8, 100, 5, 0, 0,
    '{"premiumRate":"5","stakeRate":"2","claimLossRate":"50","claimRate":"50",
      "endProfitRate":"100","maxOpen":"5","claimsPerDay":"2"}',
    case when n = 1 and $1 = 0 then 'active' else 'ended' end, to_timestamp($4::bigint / 1000) + n * interval '1 ms'
  from generate_series(1, $2::int) n`;
const TICKS = `insert into micro.tick (symbol, id, time, price, prev_hash, hash, signature, public_key)
  select case n % 10 when 0 then 'BTC/USDT' else 'M' || n % 10 end, n,
    to_timestamp($2::bigint / 1000) - n * interval '1 s', '60000.00', 'p', 'h', 's', 'k'
  from generate_series(1, $1::int) n`;

describe('statements about contracts among many that have ended', () => {
  let world: TestDatabases;
  let counted: PageCount;

  beforeEach(async () => {
    world = await testDatabases();
    await world.databases.open({ schema: 'micro', migrations: MIGRATIONS });
    await world.query('set search_path = micro, public');
    await world.query('select make_tick_days(to_timestamp($1), to_timestamp($2))', [NOW / 1000 - 86_400, NOW / 1000]);
    await world.query(POLICIES, [0, 10, PERSON, NOW]);
    for (const [first, state] of ['waiting', 'opening', 'running', 'closed'].entries())
      await world.query(CONTRACTS, [100 * first, 5, state, PERSON, 1, NOW]);
    await world.query(CLAIMS, [0, 10, PERSON, NOW]);
    await world.query(TICKS, [60, NOW]);
    await world.query(`insert into tick_head values ('BTC/USDT', 1, to_timestamp($1), 'h')`, [NOW / 1000]);
    counted = await PageCount.open(world.url, 'micro');
  });
  afterEach(async () => {
    await counted?.end();
    await world?.end();
  });

  /** The queries of a round of settlement, and those of a submission. */
  async function ofRounds(): Promise<ReadonlyMap<string, number>> {
    const database = counted as unknown as MicroDatabase;
    const contracts = new PostgresContracts(database);
    const ticks = new PostgresTicks(database);
    const known = [{ symbol: 'BTC/USDT', through: NOW + 60_000 }];
    await contracts.takeOpening(counted as never, known, 500);
    await contracts.takeExpired(counted as never, known, 500);
    await new PostgresPolicies(database).lockActive(counted as never, PERSON, USDT);
    await ticks.heads();
    await ticks.within([{ symbol: 'BTC/USDT', after: NOW - 5_000, until: NOW }]);
    await ticks.kept('BTC/USDT', [1n, 2n]);
    return counted.taken();
  }

  /** The lists of people and operators, and the comparisons of the audit. */
  async function ofReaders(): Promise<ReadonlyMap<string, number>> {
    const database = counted as unknown as MicroDatabase;
    const contracts = new PostgresContracts(database);
    const policies = new PostgresPolicies(database);
    const audit = new MicroAudit(database);
    await contracts.find('301');
    for (const userId of [undefined, PERSON])
      for (const isClosed of [undefined, false, true])
        for (const matchId of [undefined, 1]) await contracts.list({ userId, isClosed, matchId }, PAGE);
    for (const currencyId of [undefined, USDT]) {
      await policies.list(PERSON, currencyId, PAGE);
      for (const userId of [undefined, PERSON]) await policies.claims(userId, currencyId, PAGE);
    }
    await policies.active(PERSON);
    await audit.checks();
    await audit.holdDigests();
    await audit.house();
    return counted.taken();
  }

  test(`each reads as many pages beside ${ENDED} of many people and of one as beside five [MICRO-035]`, async () => {
    const [rounds, readers] = [await ofRounds(), await ofReaders()];
    await world.query(CONTRACTS, [1_000_000, ENDED, 'closed', 0, null, NOW]);
    await world.query(CONTRACTS, [2_000_000, ENDED, 'closed', PERSON, null, NOW]);
    await world.query(CONTRACTS, [3_000_000, ENDED, 'closed', 2, 2, NOW]);
    await world.query(CLAIMS, [1_000_000, ENDED, PERSON, NOW]);
    await world.query(TICKS.replace('n * interval', '(n + 60) * interval'), [ENDED, NOW]);
    // Rounds run before there are statistics; lists grow over days.
    expect(outgrown(rounds, await ofRounds())).toEqual([]);
    await world.query('analyze');
    expect(outgrown(rounds, await ofRounds())).toEqual([]);
    expect(outgrown(readers, await ofReaders())).toEqual([]);
  });
});
