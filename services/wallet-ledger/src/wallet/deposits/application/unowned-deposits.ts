import { Injectable } from '@nestjs/common';
import type { NetworkRow } from '@bourse/contract';
import { OperatorActionV1, TOPICS } from '@bourse/events';
import { Asks, authAsks, type ChangedBy, type ChangeFacts } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Clock, Config, Notice, Refused, SecurityLog, type Caller } from '@bourse/platform';
import { markCarriedOut } from '@bourse/settings';
import { Currencies } from '../../../ledger/application/currencies.js';
import { UseCaseDatabase } from '../../../ledger/application/use-case-database.js';
import { destinationOf, type Destination } from '../../shared/domain/address/index.js';
import { Chains } from '../../chains/application/chain.js';
import { ChainHealth } from '../../chains/application/chain-health.js';
import { Networks } from '../../shared/application/networks.js';
import { Payouts } from '../../withdrawals/application/payouts.js';
import { ConfirmDeposit } from './confirm-deposit.js';
import { DepositFacts } from './deposit-facts.js';
import { ClaimStore, DepositStore, type ClaimRow, type DepositRow } from './ports.js';
import { returnOf, returnReference } from './returned.js';
import type { ReturnUnownedBody } from './fields.js';

const CLAIM_CALL = 'charge_reqs/decide';
const RETURN_CALL = 'deposits/return';

/** A request that waits for a second operator: to link a claim to a deposit, or to return a deposit. */
export type WaitingDeposit =
  | (ChangedBy & { readonly call: typeof CLAIM_CALL; readonly claimId: string; readonly depositId: string })
  | (ChangedBy & {
      readonly call: typeof RETURN_CALL;
      readonly depositId: string;
      readonly address: string;
      readonly memo: string;
    });

/**
 * Deposits without an owner, because their memo is missing or unknown (rules §8.3): two operators assign one to the
 * person who claims it, or return it less the fee of its network.
 */
@Injectable()
export class UnownedDeposits {
  private readonly confirm: ConfirmDeposit;

  constructor(
    private readonly database: UseCaseDatabase,
    private readonly deposits: DepositStore,
    private readonly claims: ClaimStore,
    private readonly payouts: Payouts,
    private readonly networks: Networks,
    private readonly chains: Chains,
    private readonly currencies: Currencies,
    private readonly health: ChainHealth,
    private readonly asks: Asks,
    private readonly security: SecurityLog,
    private readonly clock: Clock,
    config: Config,
    facts: DepositFacts,
  ) {
    const scaleOf = (currency: number): number | undefined => this.currencies.scaleOf(currency);
    this.confirm = new ConfirmDeposit(deposits, config.ledgerPartitions, clock, scaleOf, facts);
  }

  /** Requests a second operator's approval to assign the deposit to the claimant; answers the approval's id. */
  async requestOwner(operator: Caller, claim: ClaimRow, deposit: DepositRow, reason: string): Promise<Notice> {
    const after = { status: 2, deposit: deposit.id, owner: claim.userId };
    return this.request(operator, `charge_req:${claim.id}`, after, {
      call: CLAIM_CALL,
      claimId: claim.id,
      depositId: deposit.id,
      ...askerOf(operator, reason),
    });
  }

  /**
   * Requests a second operator's approval to return a deposit without an owner. @throws Refused `common.notFound` if it
   * is not held or has an owner, `wallet.addressInvalid`.
   */
  async requestReturn(operator: Caller, { id, address, memo = '', reason }: ReturnUnownedBody): Promise<Notice> {
    const row = await this.deposits.find(id);
    if (!row || !isReturnable(row)) throw new Refused('common.notFound', {}, { field: 'id' });
    const { destination } = this.returned(row, address, memo);
    return this.request(
      operator,
      `deposit:${id}`,
      { state: 'returning', ...destination },
      {
        call: RETURN_CALL,
        depositId: id,
        ...destination,
        ...askerOf(operator, reason),
      },
    );
  }

  private async request(
    operator: Caller,
    target: string,
    after: ChangeFacts,
    payload: WaitingDeposit,
  ): Promise<Notice> {
    const { call, reason } = payload;
    const request = { operator, call, target, reason, after, payload };
    const { id } = await this.asks.ask(authAsks.approval, request);
    return new Notice('admin.approvalWaiting', { approval_id: id });
  }

  /** The present state of an approval's subject; null if it can no longer be carried out. */
  async currentValue(waiting: WaitingDeposit): Promise<ChangeFacts | null> {
    const deposit = await this.deposits.find(waiting.depositId);
    if (!deposit) return null;
    const { state, currencyId, amount, userId } = deposit;
    const stands = { state, currency: this.currencies.nameOf(currencyId), amount };
    if (waiting.call === RETURN_CALL) return isReturnable(deposit) ? stands : null;
    const claim = await this.claims.find(waiting.claimId);
    return claim?.status === 1 && userId === null ? { ...stands, status: claim.status } : null;
  }

  /**
   * Carries out a request that the second operator approved, once per approval; null: the release before asks. @throws
   * Refused when nothing was done, `common.unavailable` also where it may be done later
   */
  carryOut(waiting: WaitingDeposit, approvalId: number | null = null): Promise<void> {
    return waiting.call === RETURN_CALL ? this.sendBack(waiting, approvalId) : this.giveOwner(waiting);
  }

  private async giveOwner(waiting: WaitingDeposit & { readonly call: typeof CLAIM_CALL }): Promise<void> {
    const { claimId, depositId, operatorId, operator, reason } = waiting;
    await this.database.transaction(async (tx) => {
      const claim = await this.claims.lock(tx, claimId);
      if (!claim) throw new Refused('common.notFound');
      if (claim.status === 2 && claim.depositId === depositId) return;
      // Before the deposit, as wherever one is decided.
      await this.deposits.alone(tx, claim.userId, claim.currencyId);
      const row = await this.deposits.lock(tx, depositId);
      // With an owner it could be credited at once.
      if (row?.state === 'held' && !row.isConfirmed) throw new Refused('common.unavailable');
      const { userId } = claim;
      const at = this.clock.now();
      if (row?.currencyId !== claim.currencyId || !(await this.deposits.setOwner(tx, depositId, userId, at)))
        throw new Refused('admin.decided');
      if (!(await this.claims.decide(tx, claimId, { status: 2, depositId, by: operatorId, reason, at })))
        throw new Refused('admin.decided');
      await this.confirm.owned(tx, { ...row, userId });
      this.record(tx, `charge_reqs.decide:${claimId}`, {
        action: 'charge_reqs.decide',
        target: claimId,
        subjects: [userId],
        at,
        operatorId,
        operator,
        reason,
        before: `1, deposit ${depositId} of nobody`,
        after: `2, deposit ${depositId} of ${userId}`,
      });
    });
  }

  private async sendBack(
    waiting: WaitingDeposit & { readonly call: typeof RETURN_CALL },
    approvalId: number | null,
  ): Promise<void> {
    const { depositId: id, address, memo, operatorId, operator, reason } = waiting;
    const seen = await this.deposits.find(id);
    if (!seen) throw new Refused('common.notFound');
    const isClosed = await this.health.closed(seen.chain);
    await this.database.transaction(async (tx) => {
      const row = await this.deposits.lock(tx, id);
      if (row?.state === 'returning' || row?.state === 'returned') return;
      // A return that has failed since has left the deposit held again.
      if (approvalId !== null && !(await markCarriedOut(tx, approvalId))) return;
      if (isClosed) throw new Refused('common.unavailable');
      if (!row || !isReturnable(row)) throw new Refused('admin.decided');
      const { network, destination, charged, scale } = this.returned(row, address, memo);
      const at = this.clock.now();
      const back = { ...destination, fee: formatUnits(charged.fee, scale), value: '0', day: null };
      if (!(await this.deposits.move(tx, id, 'held', 'returning', { at, return: back })))
        throw new Error(`invariant: deposit ${id} was locked and is no longer held`);
      await this.payouts.enqueue(tx, {
        reference: returnReference(id, row.returnAttempts + 1),
        userId: null,
        chain: network.chain,
        to: destination.address,
        memo: destination.memo,
        contract: network.contractAddress,
        amount: charged.onChain,
        confirmations: network.confirmations,
      });
      this.record(tx, `deposits.return:${id}:${row.returnAttempts + 1}`, {
        action: 'deposits.return',
        target: id,
        subjects: [],
        at,
        operatorId,
        operator,
        reason,
        before: 'held, of nobody',
        after: `returning to ${destination.address}`,
      });
      tx.afterCommit(() =>
        this.security.record('deposit.return_requested', {
          operator_id: operatorId,
          deposit_id: id,
          address: destination.address,
        }),
      );
    });
  }

  /** Address and amount of a return. @throws Refused `wallet.addressInvalid`; `common.notFound` if nothing is left. */
  private returned(
    { id, networkId, currencyId, amount }: DepositRow,
    address: string,
    memo: string,
  ): {
    readonly network: NetworkRow;
    readonly destination: Destination;
    readonly charged: NonNullable<ReturnType<typeof returnOf>>;
    readonly scale: number;
  } {
    const network = this.networks.byId(networkId);
    const currency = this.currencies.byId(currencyId);
    if (!network || !currency) throw new Error(`invariant: deposit ${id} is of a coin or network that is not there`);
    const parsed = destinationOf(network, address, network.memo ? memo : '');
    if (!parsed.ok && parsed.wrong === 'memo')
      throw new Refused('common.fieldInvalid', { field: 'memo' }, { field: 'memo' });
    if (!parsed.ok) throw new Refused('wallet.addressInvalid', {}, { field: 'address' });
    const chain = this.chains.get(network.chain);
    const charged = returnOf(toUnits(amount, currency.scale), network, currency.scale, chain);
    if (charged === null) throw new Refused('common.notFound', {}, { field: 'id' });
    return { network, destination: parsed.destination, charged, scale: currency.scale };
  }

  private record(tx: Tx, name: string, action: Omit<Parameters<typeof OperatorActionV1.encode>[0], 'id'>): void {
    tx.emit(TOPICS.operatorActions, 0, OperatorActionV1.encode({ id: `wallet-ledger:${name}`, ...action }));
  }
}

const askerOf = ({ userId, accountNumber }: Caller, reason: string): ChangedBy => ({
  operatorId: userId,
  operator: accountNumber,
  reason,
});
/** Whether it has no owner, is booked, and is still confirmed. */
const isReturnable = ({ userId, state, isConfirmed }: DepositRow): boolean =>
  userId === null && state === 'held' && isConfirmed;
