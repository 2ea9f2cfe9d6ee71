import { Injectable } from '@nestjs/common';
import { toDataPage, type ChargeReq, type DataPage } from '@bourse/contract';
import { OperatorActionV1, TOPICS } from '@bourse/events';
import { formatUnits, toUnits } from '@bourse/money';
import { AnswerStore, type Tx } from '@bourse/persistence';
import { type CallContext, type Caller, Clock, Notice, Refused, timeText, randomId } from '@bourse/platform';
import { Currencies } from '../../../ledger/application/currencies.js';
import { UseCaseDatabase } from '../../../ledger/application/use-case-database.js';
import { ClaimStore, DepositStore, type ClaimRow } from './ports.js';
import { UnownedDeposits } from './unowned-deposits.js';
import type { CoinListQuery } from '../../shared/application/fields.js';
import type { ClaimBody, DecideClaimBody, ReviewedClaimsQuery } from './fields.js';

/** The finest scale that the grammar accepts; a coin's own scale is checked once the coin is known. */
const SCALE_MAX = 18;
const UNREVIEWED = 1;

/** The additional fields for operators. */
export interface ReviewedClaim extends ChargeReq {
  user_id: number;
  deposit_id: string;
  reason: string;
}

/**
 * Claims that a deposit is missing (api §2.2): finance links them to deposits of the chain. A link assigns a deposit
 * without an owner to the claimant, with a second operator's approval; no other claim credits anything.
 */
@Injectable()
export class Claims {
  constructor(
    private readonly database: UseCaseDatabase,
    private readonly store: ClaimStore,
    private readonly deposits: DepositStore,
    private readonly answers: AnswerStore,
    private readonly currencies: Currencies,
    private readonly clock: Clock,
    private readonly unowned: UnownedDeposits,
  ) {}

  /** @throws Refused on the first invalid field: amount, coin, account. */
  make(userId: number, fields: ClaimBody, context: CallContext): Promise<Notice> {
    return this.answers.onceNotice(context, async () => {
      fields.amount.units(SCALE_MAX);
      const { currency: currencyId } = fields;
      const currency = this.currencies.byId(currencyId);
      if (!currency) throw new Refused('common.notFound', {}, { field: 'currency' });
      const amount = fields.amount.units(currency.scale);
      const { account } = fields;
      const id = randomId();
      await this.store.add({
        id,
        userId,
        currencyId,
        amount: formatUnits(amount, currency.scale),
        account,
        createdAt: this.clock.now(),
      });
      return new Notice('wallet.chargeReceived', { id });
    });
  }

  async ofUser(userId: number, { currency, page }: CoinListQuery): Promise<DataPage<ChargeReq>> {
    return toDataPage(await this.store.ofUser(userId, currency === undefined ? {} : { currency }, page), page, (row) =>
      this.view(row),
    );
  }

  async all({ status, userId, page }: ReviewedClaimsQuery): Promise<DataPage<ReviewedClaim>> {
    return toDataPage(await this.store.all({ status, userId }, page), page, (row) => ({
      ...this.view(row),
      user_id: row.userId,
      deposit_id: row.depositId ?? '',
      reason: row.reason,
    }));
  }

  /**
   * An operator decides on a claim: 2 linked to a deposit, 3 refused, 4 closed. A deposit without an owner is assigned
   * to the claimant once a second operator approves. @throws Refused `common.notFound` for a claim or deposit that does
   * not exist, `admin.decided`.
   */
  async decide(operator: Caller, fields: DecideClaimBody): Promise<Notice> {
    const { id, status, reason } = fields;
    const depositNumber = status === 2 ? fields.depositId : null;
    if (depositNumber !== null) {
      const [claim, deposit] = await Promise.all([this.store.find(id), this.deposits.find(depositNumber)]);
      if (claim?.status === UNREVIEWED && deposit?.userId === null && deposit.currencyId === claim.currencyId) {
        if (deposit.state !== 'seen' && deposit.state !== 'held')
          throw new Refused('admin.decided', {}, { field: 'deposit_id' });
        return this.unowned.requestOwner(operator, claim, deposit, reason);
      }
    }
    return this.database.transaction(async (tx) => {
      const claim = await this.store.lock(tx, id);
      if (!claim) throw new Refused('common.notFound', {}, { field: 'id' });
      if (claim.status !== UNREVIEWED) throw new Refused('admin.decided', {}, { field: 'id' });
      if (depositNumber !== null) await this.check(tx, claim, depositNumber);
      const at = this.clock.now();
      if (!(await this.store.decide(tx, id, { status, depositId: depositNumber, by: operator.userId, reason, at })))
        throw new Refused('admin.decided', {}, { field: 'deposit_id' });
      tx.emit(
        TOPICS.operatorActions,
        0,
        OperatorActionV1.encode({
          id: `wallet-ledger:charge_reqs.decide:${id}`,
          at,
          operatorId: operator.userId,
          operator: operator.accountNumber,
          action: 'charge_reqs.decide',
          target: id,
          subjects: [claim.userId],
          reason,
          before: String(claim.status),
          after: depositNumber === null ? String(status) : `${status}, deposit ${depositNumber}`,
        }),
      );
      return new Notice('admin.chargeDecided', { id });
    });
  }

  /** Checks that a deposit fits the claim: the same coin and the same owner. */
  private async check(tx: Tx, claim: ClaimRow, deposit: string): Promise<void> {
    const row = await this.deposits.lock(tx, deposit);
    if (row?.currencyId !== claim.currencyId || row.userId !== claim.userId)
      throw new Refused('common.notFound', {}, { field: 'deposit_id' });
  }

  private view({ id, currencyId, amount, account, status, createdAt }: ClaimRow): ChargeReq {
    const scale = this.currencies.scaleOf(currencyId) ?? SCALE_MAX;
    return {
      id,
      currency: currencyId,
      amount: formatUnits(toUnits(amount, scale), scale),
      account,
      status,
      create_time: timeText(createdAt),
    };
  }
}
