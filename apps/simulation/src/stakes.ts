import { available, held, RESULT_TOPICS, TOPICS } from '@bourse/events';
import { Sagas, type LedgerOrder, type Moves, type Saga, type SagasParts } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import type { MemoryTx } from '@bourse/persistence/memory';
import { Notice, Refused, type CallContext } from '@bourse/platform';

/** The service in whose name stakes hold money, and what their commands and results travel on. */
const SERVICE = 'wallet-ledger';
export const STAKE_TOPICS: readonly string[] = [TOPICS.ledgerCommands, ...RESULT_TOPICS];
/** How many stakes may be asked or open at once, so that some are refused before they begin. */
export const PLACES = 6;
const SCALE = 8;
const CURRENCY = 3;

/** A stake as it is stored. `asked`: nobody sees it yet. */
export interface StoredStake {
  readonly id: string;
  readonly user: number;
  /** Units of 1e-8. */
  readonly amount: bigint;
  readonly state: 'asked' | 'open' | 'released';
}
export const stakeHold = (id: string): string => `withdrawal:${id}`;

/**
 * A tiny product on the product's own saga: a stake takes one of a few places and holds an amount, and a release gives
 * both back. It shows that no object stays in between, and that counters equal objects, whatever dies on the way.
 */
export class Stakes {
  readonly sagas: Sagas;
  private readonly opening: Saga<null>;
  private readonly releases: Moves;

  constructor(parts: Omit<SagasParts, 'service'>) {
    this.sagas = new Sagas({ ...parts, service: SERVICE });
    this.opening = this.sagas.define<null>({
      name: 'stake.open',
      onPosted: async (tx, { object }) => {
        await this.change(tx, object, (stake) => stake && { ...stake, state: 'open' });
        return new Notice('stake.open', { id: object });
      },
      onRefused: async (tx, { object }, refusal) => {
        await this.change(tx, object, () => null);
        await this.count(tx, -1);
        return refusal;
      },
    });
    this.releases = this.sagas.defineMove({ name: 'stake.release' });
  }

  open(stake: Omit<StoredStake, 'state'>, context: CallContext): Promise<Notice> {
    const { id, user, amount } = stake;
    const answer = this.opening.call(context, async () => async (tx) => {
      await this.count(tx, 1);
      await this.change(tx, id, () => ({ ...stake, state: 'asked' }));
      const to = held(user, 'change', stakeHold(id));
      return {
        object: id,
        note: null,
        command: commandOf(user, id, 'open', {
          from: available(user, 'change'),
          to,
          amount: formatUnits(amount, SCALE),
        }),
      };
    });
    return answer as Promise<Notice>;
  }

  release(id: string, context: CallContext): Promise<Notice> {
    return this.releases.call(context, async () => async (tx) => {
      const stake = await this.change(tx, id, (found) => {
        if (found?.state !== 'open') throw new Refused('wallet.state');
        return { ...found, state: 'released' };
      });
      const user = stake?.user ?? 0;
      await this.count(tx, -1);
      return {
        object: id,
        answer: new Notice('stake.released', { id }),
        command: commandOf(user, id, 'release', {
          from: held(user, 'change', stakeHold(id)),
          to: available(user, 'change'),
          amount: 'rest',
        }),
      };
    });
  }

  private count(tx: Tx, by: number): Promise<void> {
    return (tx as MemoryTx).statement('count places', async (at) => {
      await at.lock('gateway.places', 'stakes');
      const taken = (at.get<{ taken: number }>('gateway.places', 'stakes')?.taken ?? 0) + by;
      if (taken > PLACES) throw new Refused('stake.full');
      await at.put('gateway.places', 'stakes', { taken });
    });
  }

  private change(
    tx: Tx,
    id: string,
    to: (stake: StoredStake | undefined) => StoredStake | null | undefined,
  ): Promise<StoredStake | null> {
    return (tx as MemoryTx).statement('change a stake', async (at) => {
      await at.lock('gateway.stake', id);
      const stake = to(at.get<StoredStake>('gateway.stake', id)) ?? null;
      await at.put('gateway.stake', id, stake);
      return stake;
    });
  }
}

function commandOf(
  user: number,
  id: string,
  what: 'open' | 'release',
  leg: { readonly from: string; readonly to: string; readonly amount: string },
): LedgerOrder {
  return {
    issuer: SERVICE,
    userId: user,
    onBehalfOf: user,
    journals: [
      { id: `stake:${id}:${what}`, causeType: 'withdrawal', causeId: id, legs: [{ ...leg, currency: CURRENCY }] },
    ],
  };
}
