// npm run bench:ledger. Journals per second of one writer of the ledger: real PostgreSQL, durable, everything in its
// transaction (journal rows, balances, holds, answers, outbox, position). Two kinds of load: commands of the edge, each
// with an id, an answer and a message to pass on; and rows of another service's stream (settlements). Options:
// --seconds N (5) per kind, --users N (1000), --built.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build, library, measured, option, root, service, startDatabase, startServices } from '../pipeline/inside.mjs';

build();
const seconds = option('seconds', 5);
const users = option('users', 1_000);
const IN_FLIGHT = 2_000;
const USDT = 3;
const FIRST = 500_000;

const database = await startDatabase();
try {
  const [
    { WalletLedgerModule },
    { LedgerCommandV1, ReferenceRowV1, TOPICS, available, held },
    { SEED_CURRENCIES, SEED_PAIRS },
  ] = await Promise.all([service('wallet-ledger'), library('events'), library('contract')]);
  const { app, log, replies, databases, readiness } = await startServices(database.url, database.dir, [
    WalletLedgerModule,
  ]);
  const market = await databases.open({ schema: 'market', migrations: [] });
  await market.transaction(async (tx) => {
    for (const row of SEED_CURRENCIES)
      tx.emit(
        TOPICS.reference,
        0,
        ReferenceRowV1.encode({ kind: 'currency', id: String(row.id), version: 1, row: { ...row } }),
      );
    for (const row of SEED_PAIRS)
      tx.emit(
        TOPICS.reference,
        0,
        ReferenceRowV1.encode({ kind: 'pair', id: String(row.id), version: 1, row: { ...row } }),
      );
  });
  await readiness.whenReady();
  const send = async (command) => {
    const reply = replies.wait(command.commandId, 60_000);
    await log.send(TOPICS.ledgerCommands, 0, LedgerCommandV1.encode(command));
    const answered = await reply;
    if (!answered?.ok) throw new Error(JSON.stringify(answered));
  };
  await Promise.all(
    Array.from({ length: users }, (_, index) =>
      send({
        commandId: `bench:${index}`,
        issuer: 'seed',
        userId: FIRST + index,
        replyTo: replies.instance,
        answer: { type: 'ok' },
        journals: [
          {
            id: `bench:${index}`,
            causeType: 'seed',
            causeId: String(index),
            legs: [{ from: 'h.outside', to: available(FIRST + index, 'change'), currency: USDT, amount: '1000000' }],
          },
        ],
      }),
    ),
  );

  let next = 0;
  const commands = async (until) => {
    let done = 0;
    await Promise.all(
      Array.from({ length: IN_FLIGHT }, async () => {
        while (performance.now() < until) {
          const number = next++;
          const userId = FIRST + (number % users);
          await send({
            commandId: `c${number}`,
            issuer: 'spot-matching',
            userId,
            replyTo: replies.instance,
            validUntil: Date.now() + 60_000,
            bodyHash: 'a'.repeat(64),
            journals: [
              {
                id: `order:${number}:hold`,
                causeType: 'order',
                causeId: String(number),
                legs: [
                  {
                    from: available(userId, 'change'),
                    to: held(userId, 'change', `order:${number}`),
                    currency: USDT,
                    amount: '1.5',
                  },
                ],
              },
            ],
            forward: {
              topic: TOPICS.spotCommands,
              partition: 0,
              message: {
                type: 'spot.place.v1',
                key: 'BTC/USDT',
                body: { orderId: String(number), userId, price: '56700.00', quantity: '0.5' },
              },
            },
            answer: { type: 'ok', key: 'trade.success', extra: { id: String(number) } },
          });
          done++;
        }
      }),
    );
    return done;
  };
  // Rows of a stream, as the book sends them: payment, fee and rest of a hold. They spend the holds that the commands
  // have made.
  let settled = 0;
  const spot = await databases.open({ schema: 'spot', migrations: [] });
  const settlements = async (until) => {
    let sent = 0;
    const waiting = new Set();
    while (performance.now() < until && settled < next) {
      const rows = [];
      while (rows.length < 500 && settled < next) {
        const number = settled++;
        const [buyer, seller] = [FIRST + (number % users), FIRST + ((number + 7) % users)];
        const hold = held(buyer, 'change', `order:${number}`);
        rows.push({
          type: LedgerCommandV1.name,
          key: String(buyer),
          body: {
            issuer: 'spot-matching',
            userId: buyer,
            journals: [
              {
                id: `trade:BTC/USDT:${number}`,
                causeType: 'trade',
                causeId: `BTC/USDT-${number}`,
                legs: [
                  { from: hold, to: available(seller, 'change'), currency: USDT, amount: '1.3' },
                  { from: available(seller, 'change'), to: 'h.fees', currency: USDT, amount: '0.0015', fee: true },
                  { from: hold, to: available(buyer, 'change'), currency: USDT, amount: 'rest' },
                ],
              },
            ],
          },
        });
      }
      if (waiting.size > 8) await Promise.race(waiting);
      const writing = spot
        .transaction(async (tx) => {
          for (const row of rows) tx.emit(TOPICS.ledgerCommands, 0, row);
        })
        .finally(() => waiting.delete(writing));
      waiting.add(writing);
      sent += rows.length;
    }
    await Promise.all(waiting);
    const [{ last }] = await spot.query(`select next - 1 as last from stream where name like '%>ledger.commands/0'`);
    const ledger = databases.opened().find(({ schema }) => schema === 'ledger');
    for (let at = '0'; at !== last; await sleep(5))
      at = (
        await ledger.query(`select number from position where consumer = 'ledger.writer' and stream like 'spot>%'`)
      )[0]?.number;
    return sent;
  };

  await commands(performance.now() + 1_500); // warm
  const rows = [];
  const report = async (name, work) => {
    const run = await measured(name, database, () => work(performance.now() + seconds * 1_000));
    const rate = Math.round(run.result / run.seconds);
    console.log(
      `${name.padEnd(44)} ${String(rate).padStart(7)}/s   Node ${((1e6 * run.node) / run.result).toFixed(1)} µs ` +
        `  PostgreSQL ${((1e6 * run.postgres) / run.result).toFixed(1)} µs of CPU each`,
    );
    rows.push({
      name,
      unit: 'journals/s',
      value: rate,
      goal: 25_000,
      nodeMicroseconds: (1e6 * run.node) / run.result,
      postgresMicroseconds: (1e6 * run.postgres) / run.result,
    });
  };
  await report('holds (command, answer, message passed on)', commands);
  await report('settlements (rows of a stream)', settlements);
  if (process.argv.includes('--audit')) {
    const { Asks, serviceAsks } = await library('messaging');
    const asked = await app.get(Asks).ask(serviceAsks.audit('wallet-ledger'), {}, 60_000);
    console.log(asked.checks.map(({ name, ok, detail }) => `${ok ? 'ok' : 'WRONG'} ${name}: ${detail}`).join('\n'));
    if (asked.checks.some(({ ok }) => !ok)) process.exitCode = 1;
  }
  writeFileSync(
    path.join(root, 'loadtest', 'ledger', 'last-run.json'),
    `${JSON.stringify(
      { at: new Date().toISOString(), node: process.version, users, inFlight: IN_FLIGHT, rows },
      null,
      2,
    )}\n`,
  );
  await app.close();
} finally {
  await database.stop();
}
process.exit();
