import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { FAULTS } from './all.js';
import { settled } from '../integration/trading-log.js';
import { overMidnight, wrongInTheEnd } from './days.js';
import { PAYMENTS, Run } from './fault.js';
import { processes } from './tools.js';
import { World, type Mode } from './world.js';

/** The upgrade builds the version before, and starts each service four times under load. */
const FAULT_MS_MAX = 40 * 60_000;

/**
 * The faults of one run of the exchange. `npm test` runs the short form; `npm run faults` sets `FAULTS_FULL`,
 * `FAULTS_SEED`, `FAULTS_ONLY` (numbers with commas), `FAULTS_PART` (words of one part's name) and `FAULTS_REPORT` (a
 * file that gets one line of JSON per fault).
 */
export function faultSuite(mode: Mode): void {
  const full = process.env['FAULTS_FULL'] === '1';
  const seed = Number(process.env['FAULTS_SEED'] ?? '1');
  const only = process.env['FAULTS_ONLY']?.split(',').map(Number) ?? null;
  const part = process.env['FAULTS_PART'] ?? null;
  const chosen = FAULTS.filter(
    ({ number, modes, short }) =>
      modes.includes(mode) && (full || short.includes(mode)) && (only === null || only.includes(number)),
  );
  jest.setTimeout(FAULT_MS_MAX);

  describe(`faults of the ${mode} run, seed ${seed}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await World.start(mode);
    });
    afterAll(async () => {
      await world?.end();
      await processes.stopAll(5_000);
    });

    test.each(chosen.map((fault) => [`${fault.number}. ${fault.name} [${fault.code}]`, fault] as const))(
      '%s',
      async (_name, fault) => {
        const run = new Run(world, fault, seed, !full, process.env['FAULTS_REPORT'] ?? null, part);
        await fault.run(run);
        expect(run.rows.flatMap(({ part, wrong }) => wrong.map((text) => `${part}: ${text}`))).toEqual([]);
        if (part === null) expect(run.rows.length).toBeGreaterThan(0);
      },
    );

    test('in the end each contract is settled, and no position or deal stays in between [FAULT-161]', async () => {
      const left = await settled(
        () =>
          world.sql<{ what: string; id: string }>(
            `select 'contract ' || state as what, id::text from micro.contract where state <> 'closed'
             union all select 'position ' || status, id::text from lever.lever_position where status in (-1, 2)
             union all select 'account in flight', in_flight from lever.risk_account where in_flight is not null
             union all select 'step of a deal', object from escrow.saga`,
          ),
        (rows) => rows.length === 0,
        90_000,
      );
      expect(left).toEqual([]);
      if (only !== null) return;
      const [done] = await world.sql<{ contracts: number; closed: number; deals: number }>(
        `select (select count(*)::int from micro.contract where result <> 'void') as contracts,
           (select count(*)::int from lever.lever_position where status = 3) as closed,
           (select count(*)::int from escrow.deal where state = 'finished') as deals`,
      );
      expect(Math.min(...Object.values(done ?? { none: 0 }))).toBeGreaterThan(0);
    });

    test('in the end every withdrawal has come to its end, and was paid once or refunded [FAULT-160]', async () => {
      const withdrawals = await settled(
        () =>
          world.sql<{ reference: string; state: string }>(
            `select 'withdrawal:' || id as reference, state from ledger.withdrawal`,
          ),
        (rows) => rows.every(({ state }) => state === 'done' || state === 'failed'),
        90_000,
      );
      const paid = new Map(
        (await world.sql<{ reference: string; count: number }>(PAYMENTS)).map(({ reference, count }) => [
          reference,
          count,
        ]),
      );
      expect(
        withdrawals.filter(({ reference, state }) => (paid.get(reference) ?? 0) !== (state === 'done' ? 1 : 0)),
      ).toEqual([]);
      if (only === null) expect(withdrawals.filter(({ state }) => state === 'done').length).toBeGreaterThan(0);
    });

    test('over the next midnights terms, points of fees and rebates are paid, each once [FAULT-162]', async () => {
      const { terms, exchanges, fees } = await overMidnight(world);
      if (only === null) expect(Math.min(terms, exchanges, fees)).toBeGreaterThan(0);
      expect(
        await settled(
          () => wrongInTheEnd(world),
          (wrong) => wrong.length === 0,
          90_000,
        ),
      ).toEqual([]);
    });
  });
}
