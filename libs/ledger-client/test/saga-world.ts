import { available, held, RESULT_TOPICS, resultsTopic, TOPICS } from '@bourse/events';
import { InProcessAsks, InProcessLog, InProcessReplies } from '@bourse/messaging';
import { MemoryDatabases, type MemoryServer, type MemoryTx } from '@bourse/persistence/memory';
import type { Tx } from '@bourse/persistence';
import { Alarms, Notice, Refused, type CallContext } from '@bourse/platform';
import { FakeLedger, type LedgerState } from '@bourse/testing';
import { Sagas, type Begun, type Decision, type LedgerOrder, type Moves, type Saga } from '../src/index.js';

export const USER = 100_001;
export const USDT = 3;
/** Places that all stakes together may take. */
export const PLACES = 3;
/** The service in whose name the tests run: only such a one is read results. */
export const SERVICE = 'wallet-ledger';

export interface Stake {
  readonly id: string;
  readonly state: 'asked' | 'open' | 'closed';
}
const hold = (id: string): string => `stake:${id}`;

/** A tiny product: a stake holds 10 USDT, and at most `PLACES` of them may run. */
export class StakeProcess {
  readonly databases: MemoryDatabases;
  readonly log: InProcessLog;
  readonly replies = new InProcessReplies('one');
  readonly alarms = new Alarms();
  readonly ledger: FakeLedger;
  readonly sagas: Sagas;
  readonly stakes: Saga<{ readonly user: number }>;
  readonly releases: Moves;
  readonly rests: Moves;
  /** How often a handler has run. */
  opened = 0;
  /** How far the business clock is ahead, ms, and the time of acceptance that the handler received. */
  clockAhead = 0;
  acceptedAt = 0;
  refused = 0;

  constructor(
    server: MemoryServer,
    readonly state: LedgerState,
  ) {
    this.databases = new MemoryDatabases(server);
    this.log = new InProcessLog(
      {
        instance: 'one',
        alarms: this.alarms,
        partitions: {
          [TOPICS.ledgerCommands]: 1,
          [TOPICS.walletCommands]: 1,
          ...Object.fromEntries(RESULT_TOPICS.map((topic) => [topic, 1])),
        },
      },
      this.databases,
    );
    this.ledger = new FakeLedger(state, this.log, this.replies, new InProcessAsks(), this.databases);
    this.sagas = new Sagas({
      service: SERVICE,
      database: this.databases.at('stakes'),
      log: this.log,
      replies: this.replies,
      clock: { real: () => Date.now(), offset: () => this.clockAhead },
      alarms: this.alarms,
      partitions: 1,
    });
    this.stakes = this.sagas.define({
      name: 'stake.open',
      onPosted: async (tx, { object, acceptedAt }) => {
        this.opened += 1;
        this.acceptedAt = acceptedAt;
        await this.put(tx, { id: object, state: 'open' });
        return new Notice('trade.success', { id: object });
      },
      onRefused: async (tx, { object }, refusal) => {
        this.refused += 1;
        await this.put(tx, null, object);
        await this.count(tx, -1);
        return refusal;
      },
    });
    this.releases = this.sagas.defineMove({ name: 'stake.release' });
    this.rests = this.sagas.defineMove({ name: 'stake.rest' });
  }

  get database(): ReturnType<MemoryDatabases['at']> {
    return this.databases.at('stakes');
  }
  get topic(): string {
    return resultsTopic(SERVICE);
  }

  /** Stakes for a call. */
  open(id: string, context: CallContext, amount = '10'): Promise<Notice> {
    return this.sagas.commands.run(context, {
      decide: async (tx) => this.stakes.ask(await this.begin(tx, id, amount)),
    });
  }

  async begin(tx: Tx, id: string, amount = '10'): Promise<Begun<{ user: number }>> {
    await this.count(tx, 1);
    await this.put(tx, { id, state: 'asked' });
    return {
      object: id,
      note: { user: USER },
      command: {
        issuer: 'wallet-ledger',
        userId: USER,
        onBehalfOf: USER,
        journals: [
          {
            id: `stake:${id}:hold`,
            causeType: 'stake',
            causeId: id,
            legs: [{ from: available(USER, 'change'), to: held(USER, 'change', hold(id)), currency: USDT, amount }],
          },
        ],
      },
    };
  }

  /** Closes a stake for a call: an asked one at once, an open one when its hold is released in `parts` journals. */
  close(id: string, context: CallContext, parts: 1 | 2 = 1): Promise<Notice> {
    return this.sagas.commands.run(context, {
      decide: async (tx): Promise<Decision> => {
        const before = await this.read(tx, id);
        await this.put(tx, { id, state: 'closed' });
        await this.count(tx, -1);
        const answer = new Notice('wallet.outCancelled', { id });
        if (before?.state !== 'open') return answer;
        const [object, command] = [id, this.release(id, 'release', parts === 1 ? 'rest' : '4')];
        return parts === 1
          ? this.releases.move({ object, command, answer })
          : this.releases.move(
              { object, command, answer },
              this.rests.part({ object, command: this.release(id, 'rest', 'rest') }),
            );
      },
    });
  }

  private release(id: string, step: string, amount: string): LedgerOrder {
    const [from, to] = [held(USER, 'change', hold(id)), available(USER, 'change')];
    return {
      issuer: 'wallet-ledger',
      userId: USER,
      onBehalfOf: USER,
      journals: [
        {
          id: `stake:${id}:${step}`,
          causeType: 'stake',
          causeId: id,
          legs: [{ from, to, currency: USDT, amount }],
        },
      ],
    };
  }

  private read(tx: Tx, id: string): Promise<Stake | null> {
    return (tx as MemoryTx).statement('read', async (at) => {
      await at.lock('stakes.stake', id);
      return at.get<Stake>('stakes.stake', id) ?? null;
    });
  }

  private count(tx: Tx, by: number): Promise<void> {
    return (tx as MemoryTx).statement('count', async (at) => {
      await at.lock('stakes.counter', 'places');
      const taken = (at.get<{ taken: number }>('stakes.counter', 'places')?.taken ?? 0) + by;
      if (taken > PLACES) throw new Refused('balance.insufficient', {}, { field: 'places' });
      await at.put('stakes.counter', 'places', { taken });
    });
  }

  private put(tx: Tx, stake: Stake | null, id = stake?.id ?? ''): Promise<void> {
    return (tx as MemoryTx).statement('put', async (at) => {
      await at.lock('stakes.stake', id);
      await at.put('stakes.stake', id, stake);
    });
  }

  async stop(): Promise<void> {
    await this.sagas.beforeApplicationShutdown();
    await this.log.close();
  }
}
