// npm run bench:team: a team of 100,000 members and a chain of 1,000, on the PostgreSQL of TEST_DATABASE_URL: how long
// answers take, and what one certificate and one deposit cost at the end of the chain. Needs a build.
import { PersonFactV1, DepositCreditedV1 } from '@bourse/events';
import { SystemClock } from '@bourse/platform';
import { testDatabases } from '@bourse/testing';

const from = (path) => import(new URL(`../../services/points/dist/${path}`, import.meta.url).href);
const { MIGRATIONS } = await from('adapters/persistence/migrations.js');
const { PostgresTeam } = await from('adapters/persistence/postgres-team.js');
const { TeamFacts } = await from('application/team-facts.js');
const { TeamView } = await from('application/team-view.js');

const MEMBERS = 100_000;
const CHAIN = 1_000;
const PIECE = 1_000;
const ROUNDS = 200;

const world = await testDatabases();
try {
  const database = await world.databases.open({ schema: 'points', migrations: MIGRATIONS, poolMax: 6 });
  const store = new PostgresTeam(database);
  const facts = new TeamFacts(store, new SystemClock());
  const view = new TeamView(store, { of: async () => new Map() });
  const registered = (userId, inviterId) => PersonFactV1.encode({ fact: 'registered', userId, inviterId, at: userId });
  const certified = (userId) => PersonFactV1.encode({ fact: 'certified', userId, at: userId });
  const people = (messages) => database.transaction((tx) => facts.people(messages, tx));
  let deposit = 0;
  const deposits = (userId) =>
    database.transaction((tx) =>
      facts.deposits(
        [
          DepositCreditedV1.encode({
            ...{ id: String((deposit += 1)), userId, currency: 3, amount: '1', value: '1.00000000', at: 1 },
          }),
        ],
        tx,
      ),
    );
  const percentiles = (times) => {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1);
    return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
  };
  const measured = async (what, rounds, work) => {
    const times = [];
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now();
      await work(round);
      times.push(performance.now() - startedAt);
    }
    process.stdout.write(`${what}: ${percentiles(times)}\n`);
  };

  // Each invited by somebody of the first tenth before them: wide at the top, some ten levels deep.
  const startedAt = performance.now();
  for (let id = 1; id <= MEMBERS; id += PIECE)
    await people(
      Array.from({ length: PIECE }, (_, at) => id + at).flatMap((one) => [
        registered(one, one === 1 ? null : 1 + ((one * 7_919) % Math.max(1, Math.floor((one - 1) / 10) || one - 1))),
        certified(one),
      ]),
    );
  const chain = Array.from({ length: CHAIN }, (_, at) => 1_000_000 + at);
  await people(chain.flatMap((id, at) => [registered(id, at === 0 ? null : id - 1), certified(id)]));
  const seconds = (performance.now() - startedAt) / 1_000;
  process.stdout.write(`${MEMBERS + CHAIN} members built in ${seconds.toFixed(1)} s\n`);
  await database.execute('analyze team_member');

  await measured(`tree of ${MEMBERS}`, ROUNDS, () => view.own(1, {}));
  await measured(`tree of ${MEMBERS}, a stranger`, ROUNDS, () => view.ofStranger(1));
  await measured(`chain of ${CHAIN}`, ROUNDS, () => view.own(chain[0], {}));
  await measured(`chain of ${CHAIN}, its end asked for by its root`, ROUNDS, () =>
    view.own(chain[0], { userId: chain[CHAIN - 60] }),
  );
  await measured(`deposit at the end of the chain`, ROUNDS, () => deposits(chain[CHAIN - 1]));
  await measured(`registration and certificate at the end of the chain`, ROUNDS, (round) =>
    people([registered(2_000_000 + round, chain[CHAIN - 1]), certified(2_000_000 + round)]),
  );
  await measured(`deposit in the tree`, ROUNDS, (round) => deposits(MEMBERS - round));
} finally {
  await world.end();
}
