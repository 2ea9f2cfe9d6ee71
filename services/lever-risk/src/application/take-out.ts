import { Injectable } from '@nestjs/common';
import { ACCOUNTS, available, type Product } from '@bourse/events';
import { transferable } from '@bourse/formulas';
import { Sagas, type LedgerOrder, type Saga } from '@bourse/ledger-client';
import { formatUnits, toUnits } from '@bourse/money';
import { Notice, Refused, type CallContext, randomId } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { accountOf, pairsOf, type Marks } from '../domain/account.js';
import { counts } from '../domain/position.js';
import { entering, Judge, type Seat } from './judge.js';
import { LeverMarkets } from './lever-markets.js';
import { TRANSFER_RATE } from './lever-settings.js';
import { PositionEvents } from './position-events.js';

/** What is to leave a lever account; `amount` is decimal text. */
interface Outgoing {
  readonly userId: number;
  readonly currency: number;
  readonly amount: string;
}
interface Note {
  readonly currency: number;
  /** What the caller is told the transfer is called; null: the object itself says it. */
  readonly id: string | null;
  /** By what it was judged: how much leaves, and the prices of the pairs in which something was open. */
  readonly amount: string;
  readonly marks: Readonly<Record<string, string>>;
}

/**
 * Everything that takes from a lever account but its positions: transfers of its owner, which the wallet hands over
 * after its own checks, and corrections of operators (architecture §7). While positions are open so much must be left
 * that the rate stays at the transfer rate or above (rules §3).
 */
@Injectable()
export class TakeOut {
  private readonly outgoing: Saga<Note>;

  constructor(
    sagas: Sagas,
    private readonly judge: Judge,
    private readonly markets: LeverMarkets,
    private readonly settings: Settings,
    private readonly positionEvents: PositionEvents,
  ) {
    this.outgoing = sagas.define<Note>({
      name: 'lever.out',
      onPosted: async (tx, { object, userId, note }) => {
        await this.judge.land(tx, [{ userId, quote: note.currency, inFlight: object }]);
        this.positionEvents.changed(tx, { userId, quote: note.currency });
        return new Notice('transfer.success', { id: note.id ?? object });
      },
      onRefused: async (tx, { object, userId, note }, refusal) => {
        await this.judge.land(tx, [{ userId, quote: note.currency, inFlight: object }]);
        return refusal;
      },
    });
  }

  /**
   * @throws Refused `lever.transferRisk` {max}, `market.stale`, `balance.insufficient`; `pending` when the outcome is
   *   not known
   */
  transfer(outgoing: Outgoing & { readonly to: Product }, context: CallContext): Promise<Notice> {
    const { userId, currency, amount, to } = outgoing;
    if (!ACCOUNTS[to].transfers || to === 'lever') throw new Refused('transfer.notSupported');
    const id = randomId();
    return this.take(outgoing, `transfer:${id}`, id, context, {
      issuer: 'lever-risk',
      userId,
      onBehalfOf: userId,
      journals: [
        {
          id: `transfer:${id}`,
          causeType: 'transfer',
          causeId: id,
          legs: [{ from: available(userId, 'lever'), to: available(userId, to), currency, amount }],
        },
      ],
    });
  }

  /** What two operators have decided to take; `journal` and `cause` are those of the correction. */
  correct(
    outgoing: Outgoing & { readonly journal: string; readonly cause: string },
    context: CallContext,
  ): Promise<Notice> {
    const { userId, currency, amount, journal, cause } = outgoing;
    return this.take(outgoing, `${context.commandId ?? journal}`, cause, context, {
      issuer: 'lever-risk',
      userId,
      onBehalfOf: null,
      journals: [
        {
          id: journal,
          causeType: 'adjustment',
          causeId: cause,
          legs: [{ from: available(userId, 'lever'), to: 'h.capital', currency, amount }],
        },
      ],
    });
  }

  private async take(
    { userId, currency, amount }: Outgoing,
    object: string,
    id: string,
    context: CallContext,
    command: LedgerOrder,
  ): Promise<Notice> {
    const answer = await this.outgoing.call(context, async () => {
      const seat = await this.judge.claim({ userId, quote: currency });
      let marks: Marks;
      try {
        marks = this.check(seat, currency, amount);
      } catch (error) {
        await seat.leave();
        throw error;
      }
      return entering(seat, async (tx) => {
        await seat.enter(tx, object);
        const judgedBy = Object.fromEntries([...marks].map(([pairId, mark]) => [pairId, String(mark)]));
        return { object, note: { currency, id, amount, marks: judgedBy }, command };
      });
    });
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: a transfer is answered with a notice');
  }

  /** The prices that it is judged by. @throws Refused `lever.transferRisk`, `market.stale`, `balance.insufficient` */
  private check({ balance, positions }: Seat, currency: number, amount: string): Marks {
    if (!positions.some(counts)) return new Map(); // the ledger alone says whether it is there
    const marks = this.markets.freshMarks(pairsOf(positions));
    const account = accountOf(balance, positions, marks);
    const max = transferable(account, this.settings.get(TRANSFER_RATE));
    const { scale } = this.markets.currency(currency);
    if (toUnits(amount, scale) <= max) return marks;
    // All of the balance may go, and it is not enough.
    if (max === account.balance) throw new Refused('balance.insufficient');
    throw new Refused('lever.transferRisk', { max: formatUnits(max, scale) });
  }
}
