import { Injectable } from '@nestjs/common';
import { toUnits, formatUnits } from '@bourse/money';
import { Commands } from '@bourse/ledger-client';
import type { Tx } from '@bourse/persistence';
import { type CallContext, Clock, Config, Notice, Refused, SecurityLog } from '@bourse/platform';
import { destinationOf } from '../../shared/domain/address/index.js';
import { Currencies } from '../../../ledger/application/currencies.js';
import { Chains } from '../../chains/application/chain.js';
import { Networks } from '../../shared/application/networks.js';
import { AuthorizeOutgoing, type Outgoing } from '../../withdrawals/application/authorize-outgoing.js';
import { Payouts, type PayoutOutcome } from '../../withdrawals/application/payouts.js';
import { WithdrawalStore } from '../../withdrawals/application/ports.js';
import { USD_SCALE } from '../../shared/application/settings.js';
import { dayOf } from '../../withdrawals/application/withdrawal-view.js';
import { emitDeposit } from './confirm-deposit.js';
import { noticeReturned } from './deposit-notices.js';
import { returnOf, returnReference } from './returned.js';
import { DepositStore, type DepositRow } from './ports.js';
import type { ReturnDepositBody } from './fields.js';

const KIND = 'deposit';

/**
 * Returns a deposit below the minimum to its owner, less the network's fee (rules §8.3). The money leaves the exchange,
 * so the return is checked like a withdrawal: freeze, passwords, bound addresses, blocks, the daily limit (api §6.17).
 */
@Injectable()
export class ReturnDeposit {
  constructor(
    private readonly store: DepositStore,
    private readonly payouts: Payouts,
    private readonly withdrawals: WithdrawalStore,
    private readonly commands: Commands,
    private readonly outgoing: AuthorizeOutgoing,
    private readonly networks: Networks,
    private readonly chains: Chains,
    private readonly currencies: Currencies,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly security: SecurityLog,
  ) {
    this.payouts.settle(KIND, (tx, reference, outcome) => this.settle(tx, reference.split(':')[1] ?? '', outcome));
  }

  /**
   * @throws Refused `common.fieldRequired`, the passwords' refusals, `common.notFound` unless it is a held deposit of
   * the caller, `wallet.addressInvalid`, then those of `AuthorizeOutgoing.authorize`.
   */
  execute(userId: number, fields: ReturnDepositBody, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => {
        const { id, address: text } = fields;
        const { password, totpCode } = fields;
        await this.outgoing.demand(userId, { password, totpCode }, 'password');
        const seen = await this.store.one(userId, id);
        if (seen?.state !== 'held' || !seen.isConfirmed) throw new Refused('common.notFound', {}, { field: 'id' });
        const outgoing = this.outgoingOf(seen, text);
        const value = await this.outgoing.authorize(userId, outgoing);
        return { id, currencyId: seen.currencyId, outgoing: { ...outgoing, value } };
      },
      decide: async (tx, { id, currencyId, outgoing }) => {
        // A deposit that arrives now may credit this one, so the decisions are serialised.
        await this.store.alone(tx, userId, currencyId);
        const notice = await this.decide(tx, userId, id, outgoing);
        tx.afterCommit(() =>
          this.security.record('deposit.return_requested', {
            user_id: userId,
            deposit_id: id,
            address: outgoing.destination.address,
          }),
        );
        return notice;
      },
    });
  }

  private outgoingOf({ id, networkId, currencyId, amount }: DepositRow, address: string): Outgoing {
    const network = this.networks.byId(networkId);
    const currency = this.currencies.byId(currencyId);
    if (!network || !currency) throw new Error(`invariant: deposit ${id} is of a coin or network that is not there`);
    const parsed = destinationOf(network, address, '');
    if (!parsed.ok) throw new Refused('wallet.addressInvalid', {}, { field: 'address' });
    return { currency, network, number: toUnits(amount, currency.scale), destination: parsed.destination };
  }

  private async decide(
    tx: Tx,
    userId: number,
    id: string,
    { network, currency, number: amount, destination, value }: Outgoing & { readonly value: bigint },
  ): Promise<Notice> {
    const row = await this.store.lock(tx, id);
    if (row?.state !== 'held' || !row.isConfirmed) throw new Refused('common.notFound', {}, { field: 'id' });
    const { scale } = currency;
    const { address, memo } = destination;
    const charged = returnOf(amount, network, scale, this.chains.get(network.chain));
    if (charged === null) throw new Refused('common.notFound', {}, { field: 'id' });
    const { onChain, gone, fee } = charged;
    const at = this.clock.now();
    const day = dayOf(at);
    if (!(await this.outgoing.takeDay(tx, userId, day, value)))
      throw new Refused('wallet.dayLimit', {}, { field: 'id' });
    if (
      !(await this.store.move(tx, id, 'held', 'returning', {
        at,
        return: { address, memo, fee: formatUnits(fee, scale), value: formatUnits(value, USD_SCALE), day },
      }))
    )
      throw new Error(`invariant: deposit ${id} was locked and is no longer held`);
    await this.payouts.enqueue(tx, {
      reference: returnReference(id, row.returnAttempts + 1),
      userId,
      chain: network.chain,
      to: address,
      memo,
      contract: network.contractAddress,
      amount: onChain,
      confirmations: network.confirmations,
    });
    return new Notice(
      'wallet.depositReturned',
      {},
      { amount: formatUnits(gone, scale), coin: this.currencies.nameOf(row.currencyId) },
    );
  }

  /**
   * The end of its payment, in the transaction that ends the payout. If there was no payment, the money stays in
   * suspense, no longer counts against the day, and is decided again with the deposits held since; if it stays held,
   * the person may request the return again.
   */
  private async settle(tx: Tx, id: string, outcome: PayoutOutcome): Promise<void> {
    const row = await this.store.lock(tx, id);
    if (row?.state !== 'returning')
      throw new Error(`invariant: deposit ${id} was paid back and is ${row?.state ?? 'not there'}`);
    const at = this.clock.now();
    if (outcome.state !== 'done') {
      await this.store.move(tx, id, 'returning', 'held', { at });
      if (row.userId !== null && row.returnDay !== '')
        await this.withdrawals.giveDay(tx, row.userId, row.returnDay, toUnits(row.returnValue, USD_SCALE));
      if (outcome.state !== 'failed')
        tx.afterCommit(() =>
          this.security.record('withdrawal.held', {
            user_id: row.userId,
            deposit_id: id,
            reason: outcome.state === 'held' ? outcome.reason : outcome.state,
          }),
        );
      return;
    }
    const scale = this.currencies.scaleOf(row.currencyId);
    if (scale === undefined) throw new Error(`invariant: deposit ${id} is of a coin that is not there`);
    const fee = toUnits(row.returnFee, scale);
    const gone = formatUnits(toUnits(row.amount, scale) - fee, scale);
    await this.store.move(tx, id, 'returning', 'returned', { at, returnTxId: outcome.txId });
    noticeReturned(tx, row, { name: this.currencies.nameOf(row.currencyId), scale }, at);
    emitDeposit(tx, this.config.ledgerPartitions, row, {
      transition: 'return',
      legs: [
        { from: 'h.suspense', to: 'h.outside', currency: row.currencyId, amount: gone },
        ...(fee > 0n
          ? [{ from: 'h.suspense', to: 'h.fees', currency: row.currencyId, amount: row.returnFee, fee: true }]
          : []),
      ],
    });
  }
}
