import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { RESULT_TOPICS, TOPICS } from '@bourse/events';
import { Sagas } from '@bourse/ledger-client';
import { InProcessLog, InProcessReplies } from '@bourse/messaging';
import { Timers } from '@bourse/persistence';
import { MemoryDatabases, MemoryServer } from '@bourse/persistence/memory';
import { Alarms, type CallContext, type Clock } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { eventually } from '@bourse/testing';
import { AccountClaims } from '../src/application/account-claims.js';
import { ClosePositions } from '../src/application/close.js';
import type { LeverMarkets } from '../src/application/lever-markets.js';
import type { AccountName, LeverDatabase } from '../src/application/ports.js';
import type { PositionEvents } from '../src/application/position-events.js';
import { STATUS, type Position } from '../src/domain/position.js';
import { POSITION, SimulatedAccounts, SimulatedPositions } from '../src/simulation/stores.js';
import { positionWith } from './positions.js';

const [USDT, BTC] = [3, 1];
const NOW = 1_000_000;
/** A position in USDT and one in BTC, on pairs of their own. */
const POSITIONS = [
  positionWith({ id: '1', quote: USDT, pairId: 1, createdAt: 1 }),
  positionWith({ id: '2', quote: BTC, pairId: 2, createdAt: 2 }),
];
const ALL = { which: 'all', withCover: false } as const;

/** A process of the service over the tables of a server. Its ledger is away, so that no close is booked. */
class Process {
  /** Pairs whose price is fresh. */
  readonly fresh = new Set([1, 2]);
  readonly database;
  readonly claims: AccountClaims;
  readonly closing: ClosePositions;
  readonly positions: SimulatedPositions;
  private readonly log: InProcessLog;

  constructor(server: MemoryServer) {
    const databases = new MemoryDatabases(server);
    const alarms = new Alarms();
    const topics = [TOPICS.ledgerCommands, TOPICS.walletCommands, ...RESULT_TOPICS];
    const partitions = Object.fromEntries(topics.map((topic) => [topic, 1]));
    this.log = new InProcessLog({ instance: 'one', alarms, partitions }, databases);
    this.database = databases.at('lever');
    const clock = { now: () => NOW, real: () => Date.now(), offset: () => 0 };
    const sagas = new Sagas({
      service: 'lever-risk',
      database: this.database,
      log: this.log,
      replies: new InProcessReplies('one'),
      clock,
      alarms,
      partitions: 1,
    });
    const markets = {
      currency: () => ({ scale: 8 }),
      marks: (pairIds: Iterable<number>) =>
        new Map([...pairIds].filter((id) => this.fresh.has(id)).map((id) => [id, 6_000_000n])),
    } as unknown as LeverMarkets;
    this.positions = new SimulatedPositions(this.database);
    const balances = { of: () => Promise.resolve({ balances: { 1: '100' }, house: '0' }) };
    this.claims = new AccountClaims(new SimulatedAccounts(this.database), this.positions, balances, markets);
    this.closing = new ClosePositions(
      sagas,
      sagas.commands,
      this.database as unknown as LeverDatabase,
      this.claims,
      markets,
      this.positions,
      new FixedSettings(),
      new Timers(this.database, clock),
      { publishAfterCommit: () => undefined } as unknown as PositionEvents,
      clock as unknown as Clock,
    );
  }
  stop(): Promise<void> {
    return this.log.close();
  }
}

let server: MemoryServer;
let one: Process;
const context = (commandId: string, validMs = 4_000): CallContext =>
  ({ commandId, hasKey: true, bodyHash: 'body', validUntil: Date.now() + validMs }) as CallContext;
const states = (): number[] => server.rows<Position>(POSITION).map(({ status }) => status);

beforeEach(async () => {
  server = new MemoryServer();
  one = new Process(server);
  for (const position of POSITIONS) await one.database.transaction((tx) => one.positions.insert(tx, position));
});
afterEach(() => one.stop());

describe('a batch close under a key [LEVER-111]', () => {
  test('is stored with its answer: a repeat names what it has closed, also after a crash', async () => {
    // The process dies once the positions are in status 2.
    jest.spyOn(one.database.tables.answers, 'record').mockRejectedValue(new Error('gone'));
    const { extra } = await one.closing.batch(1, ALL, context('a'));
    expect(extra).toEqual({ ids: ['2', '1'], settling: 1 });
    expect(states()).toEqual([STATUS.closing, STATUS.closing]);
    const other = new Process(server);
    expect((await other.closing.batch(1, ALL, context('a'))).extra).toEqual({ ids: ['2', '1'] });
    await other.stop();
  });

  test('closes nothing once its call has expired', async () => {
    await expect(one.closing.batch(1, ALL, context('a', -1))).rejects.toMatchObject({ options: { type: 'pending' } });
    expect(states()).toEqual([STATUS.open, STATUS.open]);
  });

  test('closes nothing, and frees the accounts, if it is refused for one of them', async () => {
    one.fresh.delete(1);
    await expect(one.closing.batch(1, ALL, context('a'))).rejects.toMatchObject({ key: 'market.stale' });
    expect(states()).toEqual([STATUS.open, STATUS.open]);
    for (const quote of [USDT, BTC]) expect(await one.claims.tryClaim({ userId: 1, quote })).not.toBeNull();
  });
});

test('while one of several accounts is taken, none of the others is held [LEVER-111]', async () => {
  const [usdt, btc] = [USDT, BTC].map((quote) => ({ userId: 1, quote })) as [AccountName, AccountName];
  const taken = await one.claims.claim(usdt);
  const waiting = one.claims.claimAll([btc, usdt]);
  // Liquidation gets the other one at once; the call still waits.
  const risk = await eventually(() => one.claims.claimForRisk(btc));
  await risk.release();
  await taken.release();
  const claimed = await waiting;
  expect(claimed.map(({ account }) => account.quote)).toEqual([BTC, USDT]);
});
