import { Injectable } from '@nestjs/common';
import { PERCENT_SCALE } from '@bourse/formulas';
import { Asks, authAsks, Parties, type ChangedBy } from '@bourse/messaging';
import { formatTrimmed, type Units } from '@bourse/money';
import { AnswerStore } from '@bourse/persistence';
import { Clock, Notice, type CallContext, type Caller, type WrittenAmount } from '@bourse/platform';
import { recordChange } from '@bourse/settings';
import { CASH_SCALE } from '../domain/acceptor-deal.js';
import { ratesOf, type WrittenRates } from './acceptor-desk.js';
import { AcceptorStore, type AcceptorRow } from './acceptor-ports.js';
import { AcceptorRecovery } from './acceptor-recovery.js';
import { AcceptorSteps } from './acceptor-steps.js';
import { C2cDatabase } from './ports.js';

const SERVICE = 'c2c-escrow';
/** The call whose grant of cash waits for a second operator. */
export const SAVE_CALL = 'acceptors/save';

export interface SavedAcceptor extends WrittenRates {
  readonly userId: number;
  readonly name: string;
  readonly cashQuota?: WrittenAmount | undefined;
  readonly reason: string;
}
/** What of a grant waits, decimal text. */
export interface GrantPayload {
  readonly userId: number;
  readonly cashQuota: string;
}

const byOf = (operator: Caller, reason: string): ChangedBy => ({
  operatorId: operator.userId,
  operator: operator.accountNumber,
  reason,
});

/** What operators do about acceptors (api §2.12). */
@Injectable()
export class AcceptorAdmin {
  private readonly answers: AnswerStore;

  constructor(
    private readonly store: AcceptorStore,
    private readonly steps: AcceptorSteps,
    private readonly database: C2cDatabase,
    private readonly parties: Parties,
    private readonly asks: Asks,
    private readonly clock: Clock,
    private readonly recovery: AcceptorRecovery,
  ) {
    this.answers = new AnswerStore(database);
  }

  /**
   * Makes a person an acceptor, or changes name and rates. Cash that the house grants waits for a second operator: the
   * answer is the approval's id. @throws Refused `common.notFound` without such a person.
   */
  async save(operator: Caller, fields: SavedAcceptor, context: CallContext): Promise<Notice> {
    // Under one key it is asked once for a second operator.
    const answer = await this.answers.once(context, () => this.saveNow(operator, fields));
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: what is saved is answered with a notice');
  }

  private async saveNow(operator: Caller, fields: SavedAcceptor): Promise<Notice> {
    const { userId, name, reason } = fields;
    const rates = ratesOf(fields);
    const cash = fields.cashQuota?.units(CASH_SCALE);
    if (!(await this.parties.acceptorsAmong([userId])).has(userId))
      await this.parties.setRole(userId, { isAcceptor: true }, reason);
    const before = await this.database.transaction(async (tx) => {
      const found = await this.store.lock(tx, userId);
      await this.store.save(tx, userId, { name, ...rates });
      recordChange(tx, {
        service: SERVICE,
        action: 'acceptors.save',
        target: `user:${userId}`,
        before: found ? termsOf(found) : {},
        after: termsOf({ name, ...rates }),
        by: byOf(operator, reason),
        at: this.clock.now(),
      });
      return found;
    });
    if (cash === undefined || cash === (before?.granted ?? 0n)) return new Notice('admin.acceptorSaved');
    return new Notice('admin.approvalWaiting', { approval_id: await this.ask(operator, userId, cash, reason) });
  }

  private async ask(operator: Caller, userId: number, cash: Units, reason: string): Promise<number> {
    const cashQuota = formatTrimmed(cash, CASH_SCALE);
    const { id } = await this.asks.ask(authAsks.approval, {
      operator,
      call: SAVE_CALL,
      target: `user:${userId}`,
      reason,
      after: { cash_quota: cashQuota },
      payload: { userId, cashQuota } satisfies GrantPayload,
    });
    return id;
  }

  /** What an approval is about, as it stands; null: there is no such acceptor. */
  async standing({ userId }: GrantPayload): Promise<{ readonly cash_quota: string } | null> {
    const row = await this.store.byUser(userId);
    return row && { cash_quota: formatTrimmed(row.granted, CASH_SCALE) };
  }

  /** Decides an objection to a deal. @throws Refused `common.notFound`, `acceptor.state`. */
  async decide(
    operator: Caller,
    fields: { readonly id: string; readonly outcome: 'confirm' | 'reject'; readonly reason: string },
    context: CallContext,
  ): Promise<Notice> {
    const { id, outcome, reason } = fields;
    if (await this.recovery.isDisputed(id)) return this.recovery.decide(operator, { id, outcome, reason }, context);
    return this.steps.end('admin.acceptorDecided', context, async () => {
      return {
        id,
        actor: 'finance',
        action: outcome === 'confirm' ? 'decideConfirm' : 'decideReject',
        facts: { reason, reasonKey: '' },
        also: (tx, before, after) =>
          recordChange(tx, {
            service: SERVICE,
            action: 'acceptor_deals.decide',
            target: `deal:${id}`,
            subjects: [before.userId, before.acceptorId],
            before: { state: before.state, reason: before.reason },
            after: { state: after.state },
            by: byOf(operator, reason),
            at: this.clock.now(),
          }),
      };
    });
  }
}

const termsOf = ({ name, rechargeRate, cashRate }: Pick<AcceptorRow, 'name' | 'rechargeRate' | 'cashRate'>) => ({
  name,
  recharge_rate: formatTrimmed(rechargeRate, PERCENT_SCALE),
  cash_rate: formatTrimmed(cashRate, PERCENT_SCALE),
});
