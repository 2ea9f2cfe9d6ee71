import { Injectable } from '@nestjs/common';
import { PERCENT_SCALE } from '@bourse/formulas';
import { Asks, authAsks, Parties, type ChangedBy } from '@bourse/messaging';
import { formatTrimmed, type Units } from '@bourse/money';
import { AnswerStore } from '@bourse/persistence';
import { Clock, Notice, type CallContext, type Caller, type WrittenAmount } from '@bourse/platform';
import { recordChange } from '@bourse/settings';
import { CASH_SCALE } from '../domain/acceptor-deal.js';
import { readRates, type WrittenRates } from './acceptor-commands.js';
import { AcceptorStore, type AcceptorRow } from './ports.js';
import { AcceptorRecovery } from './recovery.js';
import { AcceptorSteps } from './steps.js';
import { C2cDatabase } from '../../shared/application/database.js';

const SERVICE = 'c2c-escrow';
/** The call whose grant of cash needs a second operator. */
const SAVE_CALL = 'acceptors/save';

export interface SavedAcceptor extends WrittenRates {
  readonly userId: number;
  readonly name: string;
  readonly cashQuota?: WrittenAmount | undefined;
  readonly reason: string;
}
/** The grant that waits for approval, decimal text. */
export interface GrantPayload {
  readonly userId: number;
  readonly cashQuota: string;
}

const toChangedBy = (operator: Caller, reason: string): ChangedBy => ({
  operatorId: operator.userId,
  operator: operator.accountNumber,
  reason,
});

/** Commands of operators on acceptors (api §2.12). */
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
   * Makes a person an acceptor, or changes name and rates. Cash granted by the house needs a second operator; the
   * answer then carries the approval's id. @throws Refused `common.notFound` when the person does not exist
   */
  save(operator: Caller, fields: SavedAcceptor, context: CallContext): Promise<Notice> {
    // One key asks for a second operator once.
    return this.answers.onceNotice(context, () => this.saveNow(operator, fields));
  }

  private async saveNow(operator: Caller, fields: SavedAcceptor): Promise<Notice> {
    const { userId, name, reason } = fields;
    const rates = readRates(fields);
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
        before: found ? toAuditTerms(found) : {},
        after: toAuditTerms({ name, ...rates }),
        by: toChangedBy(operator, reason),
        at: this.clock.now(),
      });
      return found;
    });
    if (cash === undefined || cash === (before?.granted ?? 0n)) return new Notice('admin.acceptorSaved');
    return new Notice('admin.approvalWaiting', {
      approval_id: await this.requestApproval(operator, userId, cash, reason),
    });
  }

  private async requestApproval(operator: Caller, userId: number, cash: Units, reason: string): Promise<number> {
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

  /** The current state of the object of an approval; null: no such acceptor. */
  async findCurrent({ userId }: GrantPayload): Promise<{ readonly cash_quota: string } | null> {
    const row = await this.store.findByUser(userId);
    return row && { cash_quota: formatTrimmed(row.granted, CASH_SCALE) };
  }

  /** Decides an objection to a deal. @throws Refused `common.notFound`, `acceptor.state` */
  async decide(
    operator: Caller,
    fields: { readonly id: string; readonly outcome: 'confirm' | 'reject'; readonly reason: string },
    context: CallContext,
  ): Promise<Notice> {
    const { id, outcome, reason } = fields;
    if (await this.recovery.isDisputed(id)) return this.recovery.decide(operator, { id, outcome, reason }, context);
    return this.steps.take('admin.acceptorDecided', context, async () => {
      return {
        id,
        actor: 'finance',
        action: outcome === 'confirm' ? 'decideConfirm' : 'decideReject',
        facts: { reason, reasonKey: '' },
        onApplied: (tx, before, after) =>
          recordChange(tx, {
            service: SERVICE,
            action: 'acceptor_deals.decide',
            target: `deal:${id}`,
            subjects: [before.userId, before.acceptorId],
            before: { state: before.state, reason: before.reason },
            after: { state: after.state },
            by: toChangedBy(operator, reason),
            at: this.clock.now(),
          }),
      };
    });
  }
}

const toAuditTerms = ({ name, rechargeRate, cashRate }: Pick<AcceptorRow, 'name' | 'rechargeRate' | 'cashRate'>) => ({
  name,
  recharge_rate: formatTrimmed(rechargeRate, PERCENT_SCALE),
  cash_rate: formatTrimmed(cashRate, PERCENT_SCALE),
});
