// The ledger and leverage in one process on a given database, for a test that kills it: it opens positions, gets prices
// as from the recorder, and answers over IPC. `DATABASE_URL`, `HOST_DIR`.
import 'reflect-metadata';
import { available, LedgerCommandV1, MarketTickV1, ReferenceRowV1, TOPICS } from '@bourse/events';
import { SEED_CURRENCIES, SEED_PAIRS } from '@bourse/contract';
import { LeverRiskModule } from '@bourse/lever-risk';
import { createServiceApp, Asks, InfraModule, Log, Replies } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { Clock, loadConfig, loggingModule, Readiness } from '@bourse/platform';
import { WalletLedgerModule } from '@bourse/wallet-ledger';

const { SubmitPosition } = await import(new URL('./application/submit.js', import.meta.resolve('@bourse/lever-risk')));
const USDT = 3;
const IN_FLIGHT = 32;
/** Refusals that are expected on this day, independent of the machine. */
const REFUSALS = new Set(['balance.insufficient', 'lever.riskOpen', 'lever.stopBeyondLiquidation', 'lever.stopSide']);
const HOUR_MS = 3_600_000;

const config = loadConfig({
  BOURSE_DEV: '1',
  DATABASE_URL: process.env.DATABASE_URL,
  DATA_DIR: process.env.HOST_DIR,
  LOG_LEVEL: 'error',
  MAKER: 'off',
  PORT: '0',
  RATE_SCALE: '1000000',
});
const app = await createServiceApp({
  config,
  edge: true,
  imports: [
    loggingModule(config),
    InfraModule.forRoot({ config, embedded: true }),
    WalletLedgerModule,
    LeverRiskModule,
  ],
});
await app.init();
const [log, replies, clock, asks] = [Log, Replies, Clock, Asks].map((one) => app.get(one));
const submitting = app.get(SubmitPosition, { strict: false });
const market = await app.get(Databases).open({ schema: 'market', migrations: [] });

/** Noon of the next day: no midnight comes while the test runs, and each start agrees about the day. */
clock.setOffset((Math.ceil(clock.real() / (24 * HOUR_MS)) * 24 + 12) * HOUR_MS - clock.real());

/**
 * Opens a position; false if it is refused for its terms. A call that only failed by timing (a stale price, a busy
 * account) is retried, so that a slow machine opens the same positions as a fast one.
 */
async function opened(userId, name, body) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const context = { commandId: name, bodyHash: null, hasKey: false, validUntil: Date.now() + 20_000 };
    const answer = await submitting.execute(userId, body, context).catch((error) => error);
    if (answer.key === 'lever.success') return true;
    if (REFUSALS.has(answer.key)) return false;
    // A call with an unknown outcome is repeated under its own name; a refused one had no effect.
    if (answer.options?.type !== 'pending') name = `${name}+`;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${name} was not decided`);
}

const give = async (name, legs) => {
  const commandId = `first:${name}`;
  const answer = replies.wait(commandId, 60_000);
  const journals = [{ id: commandId, causeType: 'seed', causeId: name, legs }];
  const command = { commandId, issuer: 'seed', userId: 1, replyTo: replies.instance, answer: { type: 'ok' }, journals };
  await log.send(TOPICS.ledgerCommands, 0, LedgerCommandV1.encode(command));
  if (!(await answer)?.ok) throw new Error(`the ledger refused what ${name} begins with`);
};

const CALLS = {
  /** Catalog, money of the house by account, and what people begin with as `[userId, amount]`. */
  async begin({ people, house }) {
    await market.transaction(async (tx) => {
      const tell = (kind, row) =>
        tx.emit(TOPICS.reference, 0, ReferenceRowV1.encode({ kind, id: String(row.id), version: 1, row: { ...row } }));
      for (const row of SEED_CURRENCIES) tell('currency', row);
      for (const row of SEED_PAIRS) tell('pair', row);
    });
    await app.get(Readiness).whenReady();
    const leg = (to, amount) => ({ from: 'h.outside', to, currency: USDT, amount });
    await give(
      'house',
      Object.entries(house).map(([account, amount]) => leg(account, amount)),
    );
    await give(
      'people',
      people.map(([userId, amount]) => leg(available(userId, 'lever'), amount)),
    );
  },
  /** Publishes prices by symbol, as the recorder would now. */
  async tick({ prices }) {
    const at = clock.now();
    await market.transaction(async (tx) => {
      for (const [symbol, price] of Object.entries(prices))
        tx.emit(
          TOPICS.marketTicks,
          0,
          MarketTickV1.encode({
            id: String(at),
            symbol,
            time: at,
            at,
            price,
            prev_hash: '0'.repeat(64),
            hash: '0'.repeat(64),
            signature: 'none',
            public_key: 'none',
            kind: 'simulated',
          }),
        );
    });
  },
  /** Opens positions at the market, those of one user one by one. Returns the number of refused ones. */
  async open({ positions }) {
    const people = [...Map.groupBy(positions, ({ userId }) => userId).values()];
    let refused = 0;
    const worker = async () => {
      for (let next = people.pop(); next; next = people.pop())
        for (const { userId, id, ...fields } of next)
          if (!(await opened(userId, `open:${id}`, { quoteId: USDT, kind: 'market', ...fields }))) refused += 1;
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    return refused;
  },
  /** Moves business time forward. */
  jump: ({ ms }) => clock.setOffset(clock.offset() + ms),
  /** Returns the findings of both services' auditors. */
  async audit() {
    const rounds = await Promise.all(
      ['wallet-ledger', 'lever-risk'].map((name) => asks.ask({ name: `${name}.audit` }, {}, 30_000)),
    );
    return rounds.flatMap(({ checks }) => checks.filter(({ ok }) => !ok));
  },
};

process.on('message', ({ serial, call, ...given }) => {
  Promise.resolve()
    .then(() => CALLS[call](given))
    .then(
      (answer) => process.send({ serial, answer: answer ?? null }),
      (error) => process.send({ serial, error: error.stack }),
    );
});
process.send({ serial: 0 });
