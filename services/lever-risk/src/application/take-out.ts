import { Injectable } from '@nestjs/common';
import { ACCOUNTS, available, type Product } from '@bourse/events';
import { transferable } from '@bourse/formulas';
import { Commands, Sagas, type LedgerOrder, type Saga } from '@bourse/ledger-client';
import { formatUnits, toUnits } from '@bourse/money';
import { Notice, Refused, type CallContext, randomId } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { accountOf, pairsOf, type Marks } from '../domain/account.js';
import { counts } from '../domain/position.js';
import { AccountClaims, type ClaimedAccount } from './account-claims.js';
import { LeverMarkets } from './lever-markets.js';
import { TRANSFER_RATE } from './lever-settings.js';
import { PositionEvents } from './position-events.js';

/** Money that is to leave a lever account; `amount` is decimal text. */
interface Outgoing {
  readonly userId: number;
  readonly currency: number;
  readonly amount: string;
}
interface Note {
  readonly currency: number;
  /** Id of the transfer in the answer; null: the id of the object. */
  readonly id: string | null;
  /** The basis of the decision, for the simulator: the amount, and the prices of the pairs with open positions. */
  readonly amount: string;
  readonly marks: Readonly<Record<string, string>>;
}

/**
 * Takes money out of a lever account other than for positions: transfers of its owner, which the wallet hands over
 * after its own checks, and corrections of operators (architecture §7). While positions are open the margin ratio must
 * stay at the transfer rate or above (rules §3).
 */
@Injectable()
export class TakeOut {
  private readonly outgoing: Saga<Note>;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly claims: AccountClaims,
    private readonly markets: LeverMarkets,
    private readonly settings: Settings,
    private readonly positionEvents: PositionEvents,
  ) {
    this.outgoing = sagas.define<Note>({
      name: 'lever.out',
      onPosted: async (tx, { object, userId, note }) => {
        await this.claims.settleInFlight(tx, [{ userId, quote: note.currency, inFlight: object }]);
        this.positionEvents.publishAfterCommit(tx, { userId, quote: note.currency });
        return new Notice('transfer.success', { id: note.id ?? object });
      },
      onRefused: async (tx, { object, userId, note }, refusal) => {
        await this.claims.settleInFlight(tx, [{ userId, quote: note.currency, inFlight: object }]);
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

  /** Books a correction that two operators have approved; `journal` and `cause` are those of the correction. */
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

  private take(
    { userId, currency, amount }: Outgoing,
    object: string,
    id: string,
    context: CallContext,
    command: LedgerOrder,
  ): Promise<Notice> {
    return this.commands.run(context, {
      prepare: () => this.claims.claim({ userId, quote: currency }),
      decide: async (tx, claimed) => {
        const marks = this.check(claimed, currency, amount);
        await claimed.commit(tx, object);
        const prices = Object.fromEntries([...marks].map(([pairId, mark]) => [pairId, String(mark)]));
        return this.outgoing.ask({ object, note: { currency, id, amount, marks: prices }, command });
      },
      abandon: (claimed) => claimed.release(),
    });
  }

  /**
   * Checks an amount and returns the prices of the decision. @throws Refused `lever.transferRisk`, `market.stale`,
   * `balance.insufficient`
   */
  private check({ balance, positions }: ClaimedAccount, currency: number, amount: string): Marks {
    if (!positions.some(counts)) return new Map(); // the ledger checks the balance
    const marks = this.markets.freshMarks(pairsOf(positions));
    const account = accountOf(balance, positions, marks);
    const max = transferable(account, this.settings.get(TRANSFER_RATE));
    const { scale } = this.markets.currency(currency);
    if (toUnits(amount, scale) <= max) return marks;
    if (max === account.balance) throw new Refused('balance.insufficient');
    throw new Refused('lever.transferRisk', { max: formatUnits(max, scale) });
  }
}
