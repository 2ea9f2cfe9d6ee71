import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { toDataPage, type DataPage, type Withdrawal } from '@bourse/contract';
import { ledgerPartition, OperatorActionV1, TOPICS } from '@bourse/events';
import { translate } from '@bourse/i18n';
import { Commands, Sagas, type Moves } from '@bourse/ledger-client';
import { Log, samePerson, SecondPerson } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import {
  type CallContext,
  type Caller,
  Clock,
  Config,
  Notice,
  Refused,
  type SecurityFacts,
  SecurityLog,
} from '@bourse/platform';
import { Currencies } from '../../../ledger/application/currencies.js';
import { Networks } from '../../shared/application/networks.js';
import { UseCaseDatabase } from '../../../ledger/application/use-case-database.js';
import { emitDone, payoutOf, releaseOf } from './open-withdrawals.js';
import { AuthorizeOutgoing } from './authorize-outgoing.js';
import { PayoutStops, type Held } from './payout-stops.js';
import { Payouts, type PayoutOutcome } from './payouts.js';
import { WithdrawalStore, type WithdrawalRow } from './ports.js';
import { noticeWithdrawal } from './withdrawal-notice.js';
import { withdrawalView } from './withdrawal-view.js';
import type { CoinListQuery } from '../../shared/application/fields.js';
import type {
  ApproveWithdrawalBody,
  CancelWithdrawalBody,
  DecideWithdrawalBody,
  WithdrawalListQuery,
} from './fields.js';

/** The additional fields for operators. */
export interface ReviewedWithdrawal extends Withdrawal {
  user_id: number;
  /** The network by name, such as TRC20. */
  network_name: string;
  value: string;
  approvals: number;
  approvals_needed: number;
  /** The stop that holds the payment back although it may be due. */
  held: Held;
}

/**
 * Transitions of open withdrawals: cancelled by their owner, decided by operators, paid or failed on the chain
 * (rules §8.4). Every change is one conditional statement.
 */
@Injectable()
export class DecideWithdrawal {
  /** Releases of holds: a cancelled withdrawal is answered when its amount is available again (api §6.11). */
  private readonly releases: Moves;

  constructor(
    private readonly database: UseCaseDatabase,
    private readonly withdrawals: WithdrawalStore,
    private readonly payouts: Payouts,
    private readonly currencies: Currencies,
    private readonly networks: Networks,
    private readonly second: SecondPerson,
    private readonly log: Log,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly outgoing: AuthorizeOutgoing,
    private readonly stops: PayoutStops,
    private readonly security: SecurityLog,
    private readonly commands: Commands,
    sagas: Sagas,
  ) {
    this.releases = sagas.defineMove({ name: 'withdrawal.release' });
    this.payouts.settle('withdrawal', (tx, reference, outcome) =>
      this.settle(tx, reference.slice('withdrawal:'.length), outcome),
    );
  }

  /**
   * Cancels a withdrawal while it waits for review. @throws Refused `common.notFound` for another person's,
   * `wallet.state` when it is past review. The answer comes when the hold is released; after 2 s it carries `settling`.
   */
  async cancel(userId: number, fields: CancelWithdrawalBody, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      decide: async (tx) => {
        const row = await this.withdrawals.lock(tx, fields.id);
        if (row?.userId !== userId) throw new Refused('common.notFound', {}, { field: 'id' });
        if (!(await this.withdrawals.move(tx, row.id, 'cancelled', { at: this.clock.now() })))
          throw new Refused('wallet.state', {}, { field: 'id' });
        tx.afterCommit(() => this.security.record('withdrawal.cancelled', { user_id: userId, withdrawal_id: row.id }));
        const answer = new Notice('wallet.outCancelled');
        return this.releases.move({ object: row.id, command: releaseOf(row.id, row), answer });
      },
    });
  }

  /**
   * Records one operator's approval; the last one needed sends the payment. The value is computed again by the rule of
   * the request: it may need one operator more than before, never fewer. Nothing of a frozen person is approved. One
   * that the chain has refused is signed after an approval although it may fail, so that approval names what was seen.
   * The approval of an operator who has lost the role since no longer counts.
   * @throws Refused `common.notFound`, `wallet.state`, `auth.frozen`, `market.stale`, `admin.samePerson`.
   */
  async approve(operator: Caller, { id, reason, approvals, updatedTs }: ApproveWithdrawalBody): Promise<Notice> {
    const seen = await this.withdrawals.find(id);
    if (!seen) throw new Refused('common.notFound', {}, { field: 'id' });
    if (seen.state !== 'review') throw new Refused('wallet.state', {}, { field: 'id' });
    if ((await this.stops.frozen([seen.userId])).has(seen.userId)) throw new Refused('auth.frozen');
    const scale = this.scaleOf(seen);
    const value = await this.outgoing.value({ id: seen.currencyId, scale }, toUnits(seen.number, scale));
    // Auth is queried before the row is locked. An approval in between refuses this call; its retry checks the new
    // approver too.
    const known = await this.withdrawals.approvers(this.database, id);
    const { isSecond, gone } = await this.second.check(operator.userId, known, 'finance');
    return this.database.transaction(async (tx) => {
      const before = await this.reviewed(tx, id);
      // An operator who has seen fewer approvals must not send the payment.
      if (approvals !== undefined && approvals !== before.approvals)
        throw new Refused('wallet.state', {}, { field: 'approvals' });
      // Nor one who has not seen that the chain has refused it since.
      if (updatedTs === undefined ? before.reason !== '' : updatedTs !== before.updatedAt)
        throw new Refused('wallet.state', {}, { field: 'updated_ts' });
      if (!isSecond) throw samePerson();
      if ((await this.withdrawals.approvers(tx, id)).some((one) => !known.includes(one)))
        throw new Refused('common.unavailable', {}, { retryAfterSeconds: 1 });
      const others = await this.withdrawals.valueOfDay(tx, before.userId, before.createdAt, id);
      const approvalsNeeded = Math.max(before.approvalsNeeded, this.outgoing.approvals(others + value));
      await this.withdrawals.revalue(tx, id, { value, approvalsNeeded });
      await this.withdrawals.removeApprovals(tx, id, gone);
      const row = { ...before, approvalsNeeded, approvals: before.approvals - gone.length };
      const now = this.clock.now();
      if (!(await this.withdrawals.approve(tx, id, operator.userId, now))) throw samePerson();
      const given = row.approvals + 1;
      const complete = given >= row.approvalsNeeded;
      this.trail(tx, operator, {
        action: 'withdrawals.approve',
        target: id,
        subjects: [row.userId],
        reason,
        before: `review, ${row.approvals} of ${row.approvalsNeeded}`,
        after: complete ? 'sending' : `review, ${given} of ${row.approvalsNeeded}`,
      });
      tx.afterCommit(() =>
        this.recordEvent('withdrawal.approved', row, { approvals: given, needed: row.approvalsNeeded }),
      );
      if (!complete) return new Notice('admin.secondNeeded');
      const network = this.networks.byId(row.networkId);
      if (!network) throw new Error(`withdrawal ${id}: network ${row.networkId} is not there`);
      if (!(await this.withdrawals.move(tx, id, 'approved', { at: now })))
        throw new Refused('wallet.state', {}, { field: 'id' });
      // In review a withdrawal has a reason only if the chain refused it: the operators have seen it.
      await this.payouts.enqueue(tx, payoutOf(row, network, this.scaleOf(row), row.reason !== ''));
      return new Notice('admin.withdrawalApproved');
    });
  }

  /**
   * Records one operator's rejection and releases the hold. @throws Refused `common.notFound`, `wallet.state`. The
   * answer comes when the hold is released; after 2 s it carries `settling` (api §6.11).
   */
  async reject(operator: Caller, { id, reason }: DecideWithdrawalBody, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      decide: async (tx) => {
        const row = await this.reviewed(tx, id);
        if (!(await this.withdrawals.move(tx, id, 'rejected', { at: this.clock.now(), reason })))
          throw new Refused('wallet.state', {}, { field: 'id' });
        this.notify(tx, 'withdrawalRejected', row);
        tx.afterCommit(() => this.recordEvent('withdrawal.rejected', row));
        this.trail(tx, operator, {
          action: 'withdrawals.reject',
          target: id,
          subjects: [row.userId],
          reason,
          before: 'review',
          after: 'cancelled',
        });
        const answer = new Notice('admin.withdrawalRejected');
        return this.releases.move({ object: row.id, command: releaseOf(row.id, row), answer });
      },
    });
  }

  /**
   * A person's own withdrawals, newest first. If a freeze or the brake holds one back, its `reason` says so in the
   * person's language.
   */
  async ofUser(userId: number, { currency, page }: CoinListQuery, lang: string): Promise<DataPage<Withdrawal>> {
    const found = await this.withdrawals.ofUser(userId, currency === undefined ? {} : { currency }, page);
    const heldOf = await this.heldAmong(found.rows);
    return toDataPage(found, page, (row) => withdrawalView(withHeld(row, heldOf(row), lang), this.coinOf(row)));
  }

  async all({ id, state, userId, page }: WithdrawalListQuery, lang: string): Promise<DataPage<ReviewedWithdrawal>> {
    const found = await this.withdrawals.all({ id, state, userId }, page);
    const heldOf = await this.heldAmong(found.rows);
    return toDataPage(found, page, (row) => {
      const held = heldOf(row);
      return {
        ...withdrawalView(withHeld(row, held, lang), this.coinOf(row)),
        user_id: row.userId,
        network_name: this.networks.byId(row.networkId)?.type ?? String(row.networkId),
        value: row.value,
        approvals: row.approvals,
        approvals_needed: row.approvalsNeeded,
        held,
      };
    });
  }

  /** The stop that holds back each of these unsigned withdrawals. */
  private async heldAmong(rows: readonly WithdrawalRow[]): Promise<(row: WithdrawalRow) => Held> {
    const mark = await this.stops.marks(rows.filter(isUnsigned).map(({ userId }) => userId));
    return (row) => (isUnsigned(row) ? mark(row.userId) : '');
  }

  /** The end of its payment on the chain, or its hold, in the transaction that ends the payout. */
  private async settle(tx: Tx, id: string, outcome: PayoutOutcome): Promise<void> {
    const row = await this.withdrawals.lock(tx, id);
    if (!row) throw new Error(`invariant: a payout without its withdrawal ${id}`);
    const at = this.clock.now();
    if (outcome.state === 'held' || outcome.state === 'refused') {
      const isRefused = outcome.state === 'refused';
      if (!(await this.withdrawals.move(tx, id, 'held', { at, reason: isRefused ? outcome.reason : '' })))
        throw new Error(`invariant: the payout of withdrawal ${id} was taken back while it was ${row.state}`);
      const reason = isRefused ? 'refused' : outcome.reason;
      tx.afterCommit(() => this.recordEvent('withdrawal.held', row, { reason }));
      return;
    }
    const isPaid = outcome.state === 'done';
    const moved = isPaid
      ? await this.withdrawals.move(tx, id, 'paid', { at })
      : await this.withdrawals.move(tx, id, outcome.state === 'failed' ? 'lost' : 'unpayable', {
          at,
          reason: outcome.reason,
        });
    if (!moved) throw new Error(`invariant: the payout of withdrawal ${id} ended while it was ${row.state}`);
    this.notify(tx, isPaid ? 'withdrawalDone' : 'withdrawalRejected', row);
    if (!isPaid) return this.release(tx, row);
    const network = this.networks.byId(row.networkId);
    if (!network) throw new Error(`withdrawal ${id}: network ${row.networkId} is not there`);
    emitDone(tx, row, { scale: this.scaleOf(row), chainScale: network.chainScale }, this.partitionOf(row));
  }

  private async reviewed(tx: Tx, id: string): Promise<WithdrawalRow> {
    const row = await this.withdrawals.lock(tx, id);
    if (!row) throw new Refused('common.notFound', {}, { field: 'id' });
    if (row.state !== 'review') throw new Refused('wallet.state', {}, { field: 'id' });
    return row;
  }

  private recordEvent(
    event: 'withdrawal.approved' | 'withdrawal.rejected' | 'withdrawal.held',
    row: WithdrawalRow,
    facts: SecurityFacts = {},
  ): void {
    this.security.record(event, { user_id: row.userId, withdrawal_id: row.id, ...facts });
  }

  private notify(tx: Tx, kind: 'withdrawalRejected' | 'withdrawalDone', row: WithdrawalRow): void {
    noticeWithdrawal(tx, kind, row, this.coinOf(row), this.clock.now());
  }
  private release(tx: Tx, row: WithdrawalRow): Promise<void> {
    return this.releases.begin(tx, { object: row.id, command: releaseOf(row.id, row) });
  }

  /** Every act has an id of its own: one that returned to review is approved again from the first on. */
  private trail(
    tx: Tx,
    operator: Caller,
    what: {
      readonly action: string;
      readonly target: string;
      readonly subjects: number[];
      readonly reason: string;
      readonly before: string;
      readonly after: string;
    },
  ): void {
    tx.emit(
      TOPICS.operatorActions,
      0,
      OperatorActionV1.encode({
        ...what,
        id: `wallet-ledger:${what.action}:${randomUUID()}`,
        at: this.clock.now(),
        operatorId: operator.userId,
        operator: operator.accountNumber,
      }),
    );
  }

  private partitionOf({ userId }: { readonly userId: number }): number {
    return ledgerPartition(userId, this.config.ledgerPartitions);
  }
  private coinOf({ currencyId }: { readonly currencyId: number }): { name: string; scale: number } {
    return { name: this.currencies.nameOf(currencyId), scale: this.scaleOf({ currencyId }) };
  }
  private scaleOf({ currencyId }: { readonly currencyId: number }): number {
    const scale = this.currencies.scaleOf(currencyId);
    if (scale === undefined)
      throw new Error(`invariant: currency ${currencyId} has withdrawals and is not in the catalog`);
    return scale;
  }
}

/** Whether nothing was signed yet. */
const isUnsigned = ({ state, txId }: WithdrawalRow): boolean =>
  state === 'review' || (state === 'sending' && txId === '');

/** Fills an empty reason with the stop that holds the withdrawal back. */
const withHeld = (row: WithdrawalRow, held: Held, lang: string): WithdrawalRow =>
  held === '' || row.reason !== ''
    ? row
    : { ...row, reason: translate(lang, held === 'frozen' ? 'wallet.heldFrozen' : 'wallet.heldBrake') };
