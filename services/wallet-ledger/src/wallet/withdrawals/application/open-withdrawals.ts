import { Injectable, Logger } from '@nestjs/common';
import type { CurrencyRow, NetworkRow } from '@bourse/contract';
import {
  available,
  held,
  LedgerCommandV1,
  ledgerPartition,
  TOPICS,
  type Leg,
  type WithdrawalPlace,
} from '@bourse/events';
import { replyOf, type LedgerOrder } from '@bourse/ledger-client';
import { Replies } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import { AnswerStore, type Tx } from '@bourse/persistence';
import { Config, Notice, Refused } from '@bourse/platform';
import { Chains } from '../../chains/application/chain.js';
import { payableOf } from '../domain/withdrawal.js';
import { CommandAnswers } from '../../../ledger/application/command-answers.js';
import { Currencies } from '../../../ledger/application/currencies.js';
import { Networks } from '../../shared/application/networks.js';
import { AuthorizeOutgoing } from './authorize-outgoing.js';
import { Payouts } from './payouts.js';
import { leastWithdrawal, openedReply, withdrawalHold } from './place-withdrawal.js';
import { WithdrawalStore, type NewWithdrawal } from './ports.js';
import { USD_SCALE } from '../../shared/application/settings.js';
import { dayOf, withdrawalView } from './withdrawal-view.js';
import { noticeWithdrawal } from './withdrawal-notice.js';

/**
 * Opens withdrawals that the ledger has held: one after the other, each exactly once by its position in the log, so
 * that the daily limit has no races. Beyond the limit the hold is released. The answer is stored with the withdrawal.
 */
@Injectable()
export class OpenWithdrawals {
  private readonly logger = new Logger('OpenWithdrawals');

  constructor(
    private readonly withdrawals: WithdrawalStore,
    private readonly payouts: Payouts,
    private readonly answers: AnswerStore,
    private readonly commandAnswers: CommandAnswers,
    private readonly currencies: Currencies,
    private readonly networks: Networks,
    private readonly chains: Chains,
    private readonly outgoing: AuthorizeOutgoing,
    private readonly replies: Replies,
    private readonly config: Config,
  ) {}

  /** Opens one in the transaction that advances the position, or releases its hold. */
  async take(place: WithdrawalPlace, tx: Tx): Promise<void> {
    if (await this.withdrawals.lock(tx, place.withdrawalId))
      return this.logger.error(`withdrawal ${place.withdrawalId} was delivered twice; the second delivery is ignored`);
    const known = await this.answers.find(place.commandId);
    // The command was answered while its hold was under way: that answer stays valid.
    const answer =
      known?.state === 'done' ? this.giveBack(tx, place, new Refused('common.expired')) : await this.open(tx, place);
    if (answer instanceof Refused) await this.commandAnswers.noteRefused(tx, place.withdrawalId);
    if (known?.state === 'done') return;
    await this.answers.record(tx, place.commandId, answer);
    tx.afterCommit(() => this.replies.publish(place.replyTo, replyOf(openedReply(place.withdrawalId), answer, false)));
  }

  private async open(tx: Tx, place: WithdrawalPlace): Promise<Notice | Refused> {
    const currency = this.currencies.byId(place.currencyId);
    const network = this.networks.byId(place.networkId);
    if (!currency || !network) return this.giveBack(tx, place, new Refused('common.unavailable'));
    const chain = this.chains.get(network.chain);
    const { onChain } = payableOf(toUnits(place.received, currency.scale), currency.scale, network.chainScale);
    // Held before the call refused such a number, or before an operator raised the fee. No payment could carry it.
    if (onChain < (chain?.leastPayment ?? 1n)) {
      const min = formatUnits(leastWithdrawal(network, currency.scale, chain), currency.scale);
      return this.giveBack(tx, place, new Refused('wallet.lessMin', { min }, { field: 'number' }));
    }
    const value = await this.valueOf(currency, place.number);
    // The index has become stale since the call was checked: nothing is sent without a known price.
    if (value instanceof Refused) return this.giveBack(tx, place, value);
    const day = dayOf(place.at);
    if (!(await this.outgoing.takeDay(tx, place.userId, day, value)))
      return this.giveBack(tx, place, new Refused('wallet.dayLimit', {}, { field: 'number' }));
    const { withdrawalId: id, userId, currencyId, networkId, number, fee, received, address, memo, at } = place;
    // Withdrawals are opened one after the other, so many small ones are reviewed like one large one.
    const before = await this.withdrawals.valueOfDay(tx, userId, at);
    const approvalsNeeded = this.outgoing.approvals(before + value);
    const row: NewWithdrawal = {
      id,
      userId,
      currencyId,
      networkId,
      number,
      fee,
      received,
      address,
      memo,
      state: approvalsNeeded === 0 ? 'sending' : 'review',
      value: formatUnits(value, USD_SCALE),
      day,
      approvalsNeeded,
      commandId: place.commandId,
      createdAt: at,
    };
    await this.withdrawals.insert(tx, row);
    noticeWithdrawal(tx, 'withdrawalPlaced', row, currency, at);
    if (row.state === 'sending') await this.payouts.enqueue(tx, payoutOf(row, network, currency.scale));
    return new Notice('wallet.outSubmitted', {
      id,
      withdrawal: withdrawalView({ ...row, reason: '', txId: '', confirmations: 0, updatedAt: at }, currency),
    });
  }

  private async valueOf(currency: CurrencyRow, number: string): Promise<bigint | Refused> {
    try {
      return await this.outgoing.value(currency, toUnits(number, currency.scale));
    } catch (error) {
      if (error instanceof Refused) return error;
      throw error;
    }
  }

  private giveBack(tx: Tx, place: WithdrawalPlace, refusal: Refused): Refused {
    this.logger.log(`withdrawal ${place.withdrawalId} is not opened: ${refusal.key}`);
    emitRelease(tx, place.withdrawalId, place, ledgerPartition(place.userId, this.config.ledgerPartitions));
    return refusal;
  }
}

/** The payment of a withdrawal. `mayFail`: an operator has decided on it although the chain would refuse it. */
export function payoutOf(
  { id, userId, address, memo, received }: Pick<NewWithdrawal, 'id' | 'userId' | 'address' | 'memo' | 'received'>,
  network: NetworkRow,
  scale: number,
  mayFail = false,
): Parameters<Payouts['enqueue']>[1] {
  const { onChain } = payableOf(toUnits(received, scale), scale, network.chainScale);
  return {
    reference: withdrawalHold(id),
    userId,
    chain: network.chain,
    to: address,
    memo,
    contract: network.contractAddress,
    amount: onChain,
    confirmations: network.confirmations,
    mayFail,
  };
}

/** The command that releases the whole remaining hold. */
export function releaseOf(
  id: string,
  { userId, currencyId }: { readonly userId: number; readonly currencyId: number },
): LedgerOrder {
  return {
    issuer: 'wallet-ledger',
    userId,
    onBehalfOf: null,
    journals: [
      {
        id: `withdrawal:${id}:release`,
        causeType: 'withdrawal',
        causeId: id,
        legs: [
          {
            from: held(userId, 'change', withdrawalHold(id)),
            to: available(userId, 'change'),
            currency: currencyId,
            amount: 'rest',
          },
        ],
      },
    ],
  };
}

/** Sends that command as a row of a stream, because no caller waits for a withdrawal that was never opened. */
export function emitRelease(
  tx: Tx,
  id: string,
  withdrawal: { readonly userId: number; readonly currencyId: number },
  partition: number,
): void {
  tx.emit(TOPICS.ledgerCommands, partition, LedgerCommandV1.encode(releaseOf(id, withdrawal)));
}

/**
 * Books a paid withdrawal: the amount on the chain goes to the outside, the fee and the chain's rounding remainder to
 * the house.
 */
export function emitDone(
  tx: Tx,
  { id, userId, currencyId, fee, received }: Pick<NewWithdrawal, 'id' | 'userId' | 'currencyId' | 'fee' | 'received'>,
  { scale, chainScale }: { readonly scale: number; readonly chainScale: number },
  partition: number,
): void {
  const from = held(userId, 'change', withdrawalHold(id));
  const { gone, dust } = payableOf(toUnits(received, scale), scale, chainScale);
  const leg = (to: string, units: bigint, isFee: boolean): Leg[] =>
    units === 0n
      ? []
      : [{ from, to, currency: currencyId, amount: formatUnits(units, scale), ...(isFee ? { fee: true } : {}) }];
  emitJournal(tx, `withdrawal:${id}:done`, id, userId, partition, 'chain', [
    ...leg('h.outside', gone, false),
    ...leg('h.fees', toUnits(fee, scale), true),
    ...leg('h.fees', dust, true),
  ]);
}

function emitJournal(
  tx: Tx,
  id: string,
  causeId: string,
  userId: number,
  partition: number,
  issuer: 'wallet-ledger' | 'chain',
  legs: Leg[],
): void {
  tx.emit(
    TOPICS.ledgerCommands,
    partition,
    LedgerCommandV1.encode({ issuer, userId, journals: [{ id, causeType: 'withdrawal', causeId, legs }] }),
  );
}
