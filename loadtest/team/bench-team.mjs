// npm run bench:team. A team of 100,000 members and a chain of 1,000 in the whole embedded exchange on a durable
// PostgreSQL: how long their trees take over HTTP, with the names from auth, and the cost of one deposit and one
// registration at the end of the chain. The client shares the process with the exchange. Options: --members N (100000),
// --chain N (1000), --rounds N (200), --built.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { row, table } from '../lib/results.mjs';
import { waitForAudit } from '../lib/reconcile.mjs';
import {
  build,
  library,
  measured,
  module,
  option,
  quantiles,
  root,
  startDatabase,
  startServices,
} from '../pipeline/inside.mjs';

build();
const members = option('members', 100_000);
const chain = option('chain', 1_000);
const rounds = option('rounds', 200);
/** Limits of a run. */
const GOAL_MS = 50;
const BATCH = 1_000;
/** Demo people at the top of the tree and of the chain. */
const [TOP, HEAD] = [
  { id: 100_001, account: 'trader1@demo.bourse' },
  { id: 100_020, account: 'seller@demo.bourse' },
];
const [TREE, CHAIN, LATER] = [600_000_000, 700_000_000, 800_000_000];
/** Each is invited by a member of the first tenth before it: wide at the top, some levels deep. */
const inviterOf = (member) => {
  const before = (member * 7_919) % Math.max(1, Math.floor(member / 10));
  return before === 0 ? TOP.id : TREE + before;
};

const database = await startDatabase();
try {
  const [
    { SERVICE_MODULES },
    { DepositCreditedV1, PersonFactV1 },
    { DEMO_PASSWORD },
    { PointsDatabase },
    { TeamFacts },
  ] = await Promise.all([
    module('apps/exchange/dist/modules.js'),
    library('events'),
    library('contract'),
    module('services/points/dist/shared/application/database.js'),
    module('services/points/dist/team/application/team-facts.js'),
  ]);
  const { app, readiness } = await startServices(database.url, database.dir, [...SERVICE_MODULES]);
  await readiness.whenReady();
  const url = `http://127.0.0.1:${app.getHttpServer().address().port}`;
  const call = async (name, fields, token = '') => {
    const response = await fetch(`${url}${name}`, {
      method: 'POST',
      headers: { authorization: token },
      body: new URLSearchParams(fields),
    });
    return response.text();
  };
  const signIn = async ({ account }) => {
    const { message, type } = JSON.parse(
      await call('/api/user/login', { user_string: account, password: DEMO_PASSWORD }),
    );
    if (type !== 'ok') throw new Error(`${account} cannot sign in: ${message}`);
    return message;
  };

  // Accounts of the members, for their names: they share the hash of the public demo password.
  const admin = new pg.Client({ connectionString: database.url });
  admin.on('error', () => undefined);
  await admin.connect();
  for (const [first, count] of [
    [TREE, members],
    [CHAIN, chain],
    [LATER, 2 * rounds],
  ])
    await admin.query(
      `insert into auth.account (id, email, email_key, password_hash, hint_salt, hints, account_number,
         extension_code, review_status, created_at, registered_told, certified_told)
       select one, 'member' || one || '@demo.bourse', 'member' || one || '@demo.bourse', demo.password_hash,
         demo.hint_salt, demo.hints, 'B' || one, 'M' || one, 2, demo.created_at, true, true
       from auth.account demo cross join generate_series($2::bigint, $3::bigint) one where demo.id = $1`,
      [TOP.id, first + 1, first + count],
    );
  await admin.query('analyze auth.account');

  const facts = app.get(TeamFacts, { strict: false });
  const points = app.get(PointsDatabase, { strict: false });
  const people = (messages) => points.transaction((tx) => facts.people(messages, tx));
  const joined = (userId, inviterId) => [
    PersonFactV1.encode({ fact: 'registered', userId, inviterId, at: userId }),
    PersonFactV1.encode({ fact: 'certified', userId, at: userId }),
  ];
  const built = await measured('team-build', database, async () => {
    for (let from = 1; from <= members; from += BATCH)
      await people(
        Array.from({ length: Math.min(BATCH, members - from + 1) }, (_, at) => from + at).flatMap((member) =>
          joined(TREE + member, inviterOf(member)),
        ),
      );
    await people(
      Array.from({ length: chain }, (_, at) => joined(CHAIN + at + 1, at === 0 ? HEAD.id : CHAIN + at)).flat(),
    );
  });
  await admin.query('analyze points.team_member');
  await admin.end();
  // Events of rank changes are consumed before anything is measured.
  const audit = async () => {
    const wrong = await waitForAudit(url, 180_000);
    if (wrong.length > 0) throw new Error(`not reconciled: ${wrong.join('; ')}`);
  };
  await audit();

  const [top, head] = [await signIn(TOP), await signIn(HEAD)];
  const treeOf = async (fields, token) => JSON.parse(await call('/api/getNode', fields, token)).message;
  const own = await treeOf({}, top);
  if (own.show_message.real_teamnumber < members) throw new Error(`a team of ${own.show_message.real_teamnumber}`);
  const [nodes, nameless] = counted(own.results);
  if (nameless > 0) throw new Error(`${nameless} of ${nodes} members have no name`);
  if ((await treeOf({}, head)).show_message.real_teamnumber < chain) throw new Error('the chain is not whole');
  const end = CHAIN + chain;
  const timed = async (work) => {
    const times = [];
    for (let round = -Math.ceil(rounds / 10); round < rounds; round += 1) {
      const startedAt = performance.now();
      await work(Math.max(0, round));
      if (round >= 0) times.push(performance.now() - startedAt);
    }
    return quantiles(times);
  };
  const asked = async (name, fields, token) => {
    const { p50, p99, max } = await timed(async () => {
      const answer = await call('/api/getNode', fields, token);
      if (!answer.includes('"type":"ok"')) throw new Error(answer.slice(0, 300));
    });
    return row(name, p99, 'ms', {
      goal: GOAL_MS,
      atMost: true,
      note: `99 of 100 answers; half within ${p50.toFixed(1)} ms, all within ${max.toFixed(1)} ms`,
    });
  };
  const rows = [
    await asked(`tree of ${members}`, {}, top),
    await asked('… the team of a member in it', { user_id: String(own.results.at(-1).id) }, top),
    await asked('… as a stranger sees it', { user_id: String(TOP.id) }),
    await asked(`chain of ${chain}`, {}, head),
    await asked('… its end, asked for by its head', { user_id: String(end - 60) }, head),
  ];
  let deposits = 0;
  const deposit = (userId) =>
    points.transaction((tx) =>
      facts.deposits(
        [
          DepositCreditedV1.encode({
            ...{
              id: String(900_000_000 + (deposits += 1)),
              userId,
              currency: 3,
              amount: '1',
              value: '1.00000000',
              at: 1,
            },
          }),
        ],
        tx,
      ),
    );
  let later = 0;
  const risen = async (name, work) => {
    const { p50, p99 } = await timed(work);
    return row(name, p50, 'ms', { note: `half of all; 99 of 100 within ${p99.toFixed(1)} ms; no HTTP` });
  };
  rows.push(
    await risen('deposit at the end of the chain', () => deposit(end)),
    await risen('deposit in the tree', (round) => deposit(TREE + members - round)),
    await risen('registration and certificate at the end of the chain', () =>
      people(joined(LATER + (later += 1), end)),
    ),
    row('members taken in', (members + chain) / built.seconds, 'members/s'),
  );
  await audit();
  console.log(`${table(rows)}\nReconciled: the sums that are kept are those that are counted.`);
  const run = { at: new Date().toISOString(), node: process.version, members, chain, rounds };
  writeFileSync(path.join(root, 'loadtest', 'team', 'last-run.json'), `${JSON.stringify({ ...run, rows }, null, 2)}\n`);
  await app.close();
  if (rows.some(({ met }) => met === false)) process.exitCode = 1;
} catch (error) {
  // Reported before the database ends under parts that still use it.
  console.error(error);
  process.exitCode = 1;
} finally {
  await database.stop();
}
process.exit();

/** How many members a tree has, and how many of them lack a name. */
function counted(results) {
  let [count, nameless] = [0, 0];
  for (const left = [...results]; left.length > 0;) {
    const { name, children } = left.pop();
    count += 1;
    if (!name) nameless += 1;
    left.push(...children);
  }
  return [count, nameless];
}
