import fc from 'fast-check';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Lease } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Alarms } from '@bourse/platform';
import { CONFIRMATIONS, FaultInjector, MemoryPayouts, FakeChain, FakeNetwork } from './payout-suite.js';
import type { NewPayout, PayoutOutcome } from '../../src/wallet/withdrawals/application/payouts.js';
import { Sender, stuckAlarm } from '../../src/wallet/withdrawals/application/sender.js';
import { RAISES } from '../../src/wallet/chains/application/raises.js';

const ROUNDS_MAX = 60;

/** One exchange: its payouts, the network outside, and the processes that come and go. */
class World {
  readonly network = new FakeNetwork();
  readonly store = new MemoryPayouts();
  readonly outcomes = new Map<string, PayoutOutcome[]>();
  readonly alarms = new Alarms();
  now = 1_000;
  /** Withdrawals are stopped. */
  closed = false;
  /** Frozen people; null: auth cannot be reached. */
  frozen: ReadonlySet<number> | null = new Set();

  async owe(...references: readonly string[]): Promise<void> {
    for (const reference of references) await this.store.enqueue(undefined as unknown as Tx, payout(reference));
  }

  /** One round of a process that may crash in it. The next process has another epoch. */
  async round(fuse = new FaultInjector()): Promise<void> {
    const lease: Lease = {
      name: 'test',
      epoch: this.store.epoch,
      signal: new AbortController().signal,
      fence: async () => undefined,
    };
    const settlerOf =
      () =>
      async (_: Tx, reference: string, outcome: PayoutOutcome): Promise<void> => {
        this.outcomes.set(reference, [...(this.outcomes.get(reference) ?? []), outcome]);
      };
    const sender = new Sender({
      chain: fuse.through(new FakeChain(this.network)),
      store: fuse.through(this.store),
      clock: { real: () => this.now },
      alarms: this.alarms,
      settlerOf,
      isClosed: () => Promise.resolve(this.closed),
      frozen: () => Promise.resolve(this.frozen),
    });
    await sender.round(lease).catch((error: unknown) => {
      if (!fuse.blown) throw error;
    });
    if (fuse.blown) this.store.epoch += 1;
  }

  /**
   * Everything works again: open payments come to their end. A foreign transaction that a fork took away leaves a gap
   * in the nonces, which blocks all later ones; the next payment takes the lowest free nonce and fills it.
   */
  async finish(): Promise<void> {
    Object.assign(this.network, { away: false, refusing: false, minimum: 0n });
    for (
      let n = 0;
      n < ROUNDS_MAX && [...this.store.rows.values()].some(({ state }) => state === 'waiting' || state === 'signed');
      n++
    ) {
      if (this.network.gap()) await this.owe(`withdrawal:next-${n}`);
      await this.round();
      this.network.mine();
      this.now += 1_000;
    }
    // Whatever still waits anywhere is mined too.
    for (let n = 0; n < 3; n++) this.network.mine();
  }

  /**
   * No payment is made twice, a successful one was made, a failed one was not and never will be; each end is booked
   * once.
   */
  check(): void {
    for (const [reference, { state }] of this.store.rows) {
      expect([reference, state === 'done' || state === 'failed']).toEqual([reference, true]);
      expect([reference, this.outcomes.get(reference)?.map((outcome) => outcome.state)]).toEqual([reference, [state]]);
      expect([reference, this.network.paid(reference)]).toEqual([reference, state === 'done' ? 1 : 0]);
    }
  }
}
/** Each payment is somebody else's: the number of its reference. */
const personOf = (reference: string): number => Number(reference.replace(/\D/g, ''));
const payout = (reference: string): NewPayout => ({
  reference,
  userId: personOf(reference),
  chain: 'ethereum',
  to: '0x1',
  memo: '',
  contract: '',
  amount: 1n,
  confirmations: CONFIRMATIONS,
});

beforeAll(() => Logger.overrideLogger(false));

describe('the sender', () => {
  test('pays once, raises the fee of a payment that waits too long, and books the end once [PAYOUT-001]', async () => {
    const world = new World();
    await world.owe('withdrawal:1', 'withdrawal:2');
    await world.round();
    expect(world.network.sends).toEqual(['tx-1', 'tx-2']);
    world.now += RAISES.afterMs;
    await world.round();
    expect(world.network.waiting().map(({ fee }) => fee)).toEqual([2n, 2n]);
    await world.finish();
    world.check();
    expect(world.network.mined()).toHaveLength(2);
  });

  test('a node that is away, a wallet that is short: they wait, a mined refusal fails [PAYOUT-002]', async () => {
    const world = new World();
    await world.owe('withdrawal:1');
    world.network.away = true;
    await world.round();
    expect(world.network.sends).toEqual([]);
    Object.assign(world.network, { away: false, short: true });
    await world.round();
    expect(world.store.rows.get('withdrawal:1')?.state).toBe('waiting');
    world.network.short = false;
    await world.round();
    world.network.refusing = true;
    world.network.mine();
    await world.round();
    expect(world.outcomes.size).toBe(0);
    await world.finish();
    expect(world.outcomes.get('withdrawal:1')).toMatchObject([{ state: 'failed' }]);
    world.check();
  });

  test('a payment whose fee would be above the limit waits alone; the others go on [PAYOUT-006]', async () => {
    const world = new World();
    await world.owe('withdrawal:1', 'withdrawal:2');
    await world.round();
    world.now += RAISES.afterMs;
    world.network.dear = new Set(['withdrawal:1']);
    await world.owe('withdrawal:3');
    await world.round();
    expect(world.network.sends).toEqual(['tx-1', 'tx-2', 'tx-3', 'tx-4']);
    expect(world.network.waiting().map(({ reference, fee }) => [reference, fee])).toEqual([
      ['withdrawal:1', 1n],
      ['withdrawal:2', 2n],
      ['withdrawal:3', 1n],
    ]);
    await world.finish();
    world.check();
  });

  test('while the network asks too much, a round tries to sign one new payment [PAYOUT-006]', async () => {
    const world = new World();
    await world.owe('withdrawal:1', 'withdrawal:2');
    world.network.dear = new Set(['withdrawal:1']);
    await world.round();
    expect(world.network.signatures).toBe(0);
    world.network.dear = new Set();
    await world.finish();
    world.check();
  });

  test('while withdrawals are stopped nothing new is signed; signed payments end [WITHDRAW-023]', async () => {
    const world = new World();
    await world.owe('withdrawal:1');
    await world.round();
    world.closed = true;
    await world.owe('withdrawal:2', 'withdrawal:3');
    for (let n = 0; n < 6; n++) {
      await world.round();
      world.network.mine();
    }
    expect([...world.store.rows].map(([reference, { state }]) => [reference, state])).toEqual([
      ['withdrawal:1', 'done'],
      ['withdrawal:2', 'waiting'],
      ['withdrawal:3', 'waiting'],
    ]);
    expect(world.network.sends).toEqual(['tx-1']);
    // Nothing is signed in vain either: a signature uses the key, and searches for coins to spend.
    expect(world.network.signatures).toBe(1);
    world.closed = false;
    await world.finish();
    world.check();
  });

  test('nothing of a frozen person is signed: it is recalled once; signed payments end [HARD-307]', async () => {
    const world = new World();
    await world.owe('withdrawal:1');
    await world.round();
    world.frozen = new Set([1, 2]);
    await world.owe('withdrawal:2', 'withdrawal:3');
    for (let n = 0; n < 6; n++) {
      await world.round();
      world.network.mine();
    }
    expect([...world.store.rows].map(([reference, { state }]) => [reference, state])).toEqual([
      ['withdrawal:1', 'done'],
      ['withdrawal:3', 'done'],
    ]);
    expect(world.outcomes.get('withdrawal:2')).toEqual([{ state: 'held', reason: 'frozen' }]);
    expect(world.network.paid('withdrawal:2')).toBe(0);
    // Owed again after the freeze, it is paid.
    world.frozen = new Set();
    world.outcomes.clear();
    await world.owe('withdrawal:2');
    await world.round();
    await world.finish();
    expect(world.network.paid('withdrawal:2')).toBe(1);
  });

  test('a freeze or the brake that comes while the chain signs is seen before storing [HARD-307]', async () => {
    for (const happens of ['freeze', 'brake', 'silence'] as const) {
      const world = new World();
      await world.owe('withdrawal:1');
      const sign = FakeChain.prototype.sign;
      FakeChain.prototype.sign = async function (...args) {
        const signed = await sign.apply(this, args);
        if (happens === 'freeze') world.frozen = new Set([1]);
        else if (happens === 'brake') world.closed = true;
        else world.frozen = null;
        return signed;
      };
      try {
        await world.round();
      } finally {
        FakeChain.prototype.sign = sign;
      }
      expect([happens, world.network.sends, world.store.rows.get('withdrawal:1')?.state]).toEqual([
        happens,
        [],
        'waiting',
      ]);
      expect(world.store.rows.get('withdrawal:1')?.signatures).toEqual([]);
    }
  });

  test('while freezes cannot be read nothing new is signed [HARD-307]', async () => {
    const world = new World();
    world.frozen = null;
    await world.owe('withdrawal:1');
    await world.round();
    expect([world.network.sends, world.store.rows.get('withdrawal:1')?.state]).toEqual([[], 'waiting']);
    world.frozen = new Set();
    await world.finish();
    world.check();
  });

  test('only a confirmed rival makes it fail: until then the same bytes are sent again [PAYOUT-003]', async () => {
    const world = new World();
    await world.owe('withdrawal:1');
    await world.round();
    world.network.foreign();
    await world.round();
    expect(world.outcomes.size).toBe(0);
    expect(new Set(world.network.sends)).toEqual(new Set(['tx-1']));
    world.network.fork(1, true);
    await world.round();
    world.network.mine();
    expect(world.network.paid('withdrawal:1')).toBe(1);
    await world.finish();
    world.check();
    expect(world.store.rows.get('withdrawal:1')?.state).toBe('done');
  });

  test('a payment that is mined under an id which is not stored is done, and not paid back [PAYOUT-007]', async () => {
    for (const lost of ['the id', 'the raise'] as const) {
      const world = new World();
      await world.owe('withdrawal:1');
      await world.round();
      if (lost === 'the id') world.network.twin();
      else {
        world.now += RAISES.afterMs;
        await world.round();
        // The database is set back to the moment before the raise.
        world.store.rows.get('withdrawal:1')?.signatures.pop();
        world.network.mine();
      }
      await world.finish();
      world.check();
      expect([lost, world.store.rows.get('withdrawal:1')?.state]).toEqual([lost, 'done']);
      expect(world.store.rows.get('withdrawal:1')?.signatures.at(-1)?.txId).toBe(world.network.mined()[0]?.txId);
    }
  });

  test('a signed payment that the node refuses gets a higher fee later, with an alarm [PAYOUT-008]', async () => {
    const world = new World();
    await world.owe('withdrawal:1', 'withdrawal:2');
    await world.round();
    world.network.forget();
    world.network.minimum = 4n;
    await world.round();
    expect([world.network.waiting(), world.alarms.list()]).toEqual([[], []]);
    for (const [fee, alarms] of [
      [2n, [{ name: stuckAlarm('ethereum'), detail: expect.stringContaining('withdrawal:1, withdrawal:2') }]],
      [4n, []],
    ] as const) {
      world.now += RAISES.afterMs;
      // The alarm stays from round to round while the raise is refused too, and does not come with one that is sent.
      for (let rounds = 0; rounds < 2; rounds++) {
        await world.round();
        expect(world.store.rows.get('withdrawal:1')?.signatures.at(-1)?.networkFee).toBe(fee);
        expect(world.alarms.list()).toMatchObject(alarms);
        expect(world.alarms.list()).toHaveLength(alarms.length);
        world.now += 1_000;
      }
    }
    expect(world.network.waiting().map(({ fee }) => fee)).toEqual([4n, 4n]);
    await world.round();
    expect(world.alarms.list()).toEqual([]);
    await world.finish();
    world.check();
  });

  test('a payment that has had its last raise is named by an alarm until it is mined [PAYOUT-008]', async () => {
    const world = new World();
    await world.owe('withdrawal:1');
    for (let n = 0; n < RAISES.signaturesMax; n++) {
      await world.round();
      world.now += RAISES.afterMs;
    }
    expect(world.alarms.list()).toEqual([]);
    await world.round();
    expect(world.alarms.list()).toMatchObject([{ name: stuckAlarm('ethereum') }]);
    await world.finish();
    world.check();
    await world.round();
    expect(world.alarms.list()).toEqual([]);
  });

  test('a refused payment whose nonce a rival has in a block gets no higher fee [PAYOUT-008]', async () => {
    const world = new World();
    await world.owe('withdrawal:1');
    await world.round();
    world.network.foreign();
    world.now += RAISES.afterMs;
    await world.round();
    expect(world.store.rows.get('withdrawal:1')?.signatures).toHaveLength(1);
    await world.finish();
    world.check();
  });

  test('killed before and after every single step, it never pays twice, always ends [PAYOUT-004]', async () => {
    const whole = new World();
    await whole.owe('withdrawal:1', 'withdrawal:2');
    const counting = new FaultInjector();
    for (let n = 0; n < CONFIRMATIONS + 2; n++) {
      await whole.round(counting);
      whole.network.mine();
    }
    expect(counting.steps).toBeGreaterThan(12);
    for (let at = 1; at <= counting.steps; at++) {
      for (const afterwards of [false, true]) {
        const world = new World();
        await world.owe('withdrawal:1', 'withdrawal:2');
        const fuse = new FaultInjector(at, afterwards);
        for (let n = 0; n < CONFIRMATIONS + 2; n++) {
          await world.round(fuse.blown ? new FaultInjector() : fuse);
          world.network.mine();
        }
        await world.finish();
        world.check();
        expect([at, world.network.paid('withdrawal:1'), world.network.paid('withdrawal:2')]).toEqual([at, 1, 1]);
      }
    }
  });

  test('whatever the network and the processes do, nothing is paid twice, or also refunded [PAYOUT-005]', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constant({ do: 'round' } as const) },
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant('crash' as const),
          at: fc.integer({ min: 1, max: 30 }),
          afterwards: fc.boolean(),
        }),
      },
      { weight: 5, arbitrary: fc.constant({ do: 'mine' } as const) },
      { weight: 2, arbitrary: fc.constant({ do: 'wait' } as const) },
      { weight: 2, arbitrary: fc.constant({ do: 'forget' } as const) },
      { weight: 1, arbitrary: fc.constant({ do: 'foreign' } as const) },
      { weight: 1, arbitrary: fc.constant({ do: 'twin' } as const) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('minimum' as const), fee: fc.bigInt(0n, 4n) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('fork' as const),
          depth: fc.integer({ min: 1, max: CONFIRMATIONS - 1 }),
          lost: fc.boolean(),
        }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('away' as const), away: fc.boolean() }) },
      { weight: 1, arbitrary: fc.constant({ do: 'owe' } as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const world = new World();
        await world.owe('withdrawal:1', 'withdrawal:2');
        for (const [index, one] of steps.entries()) {
          switch (one.do) {
            case 'round':
              await world.round();
              break;
            case 'crash':
              await world.round(new FaultInjector(one.at, one.afterwards));
              break;
            case 'mine':
              world.network.mine();
              break;
            case 'wait':
              world.now += RAISES.afterMs;
              break;
            case 'forget':
              world.network.forget();
              break;
            case 'foreign':
              world.network.foreign();
              break;
            case 'minimum':
              world.network.minimum = one.fee;
              break;
            case 'twin':
              world.network.twin();
              break;
            case 'fork':
              world.network.fork(one.depth, one.lost);
              break;
            case 'away':
              world.network.away = one.away;
              break;
            case 'owe':
              await world.owe(`withdrawal:${index + 3}`);
              break;
          }
          for (const reference of world.store.rows.keys()) expect(world.network.paid(reference)).toBeLessThanOrEqual(1);
        }
        await world.finish();
        world.check();
      }),
      { numRuns: 400 },
    );
  });
});
