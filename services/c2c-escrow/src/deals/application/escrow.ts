import { Injectable } from '@nestjs/common';
import { available, held, ledgerPartition, type Leg } from '@bourse/events';
import { Sagas, splitJournal, type Decision, type LedgerOrder, type Moves } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Config, type Notice } from '@bourse/platform';
import { surplusHold, type Ad } from '../domain/ad.js';
import { adHoldName, buyerOf, dealHoldAmount, dealHoldName, sellerOf, type Deal } from '../domain/deal.js';

const ISSUER = 'c2c-escrow';
/** Cause types in the ledger, as statements and holds show them. */
const AD_CAUSE = 'ad';
export const DEAL_CAUSE = 'deal';
const FEES = 'h.fees';
/** Why coins go back to the seller; each reason occurs once per deal at most. */
export type ReturnReason = 'cancel' | 'return';

/**
 * Coins in escrow have three exits: to the buyer, back to the seller, or into a hold again by an appeal. A movement
 * begun here belongs to the caller's transaction and is booked in any case; `…InCall` returns the decision of a call
 * that waits for the booking.
 */
@Injectable()
export class Escrow {
  private readonly releases: Moves;
  private readonly credits: Moves;
  private readonly returns: Readonly<Record<ReturnReason, Moves>>;
  private readonly withdrawnAppeals: Moves;
  private readonly withdrawals: Moves;
  private readonly partitions: number;

  constructor(sagas: Sagas, config: Config) {
    this.partitions = config.ledgerPartitions;
    this.releases = sagas.defineMove({ name: 'deal.release' });
    // The buyer's part of a release that crosses partitions of the ledger.
    this.credits = sagas.defineMove({ name: 'deal.credit' });
    this.returns = {
      cancel: sagas.defineMove({ name: 'deal.cancel' }),
      return: sagas.defineMove({ name: 'deal.return' }),
    };
    this.withdrawnAppeals = sagas.defineMove({ name: 'appeal.return' });
    this.withdrawals = sagas.defineMove({ name: 'ad.withdraw' });
  }

  /** Releases to the buyer in a call. */
  releaseInCall(deal: Deal, answer: Notice): Decision {
    const [release, credit] = this.createReleaseOrders(deal);
    const parts = credit ? [this.credits.part({ object: deal.id, command: credit })] : [];
    return this.releases.move({ object: deal.id, command: release!, answer }, ...parts);
  }

  /** Releases to the buyer without waiting. */
  async release(tx: Tx, deal: Deal): Promise<void> {
    const [release, credit] = this.createReleaseOrders(deal);
    await this.releases.begin(tx, { object: deal.id, command: release! });
    if (credit) await this.credits.begin(tx, { object: deal.id, command: credit });
  }

  /** Returns the coins to the seller without waiting. */
  returnCoins(tx: Tx, deal: Deal, why: ReturnReason): Promise<void> {
    return this.returns[why].begin(tx, { object: deal.id, command: createReturnOrder(deal, why) });
  }

  /** Returns the coins of a deal that an appeal had reopened, after its opener has withdrawn the appeal. */
  returnReopenedCoins(tx: Tx, deal: Deal, appealId: string): Promise<void> {
    return this.withdrawnAppeals.begin(tx, {
      object: appealId,
      command: createReturnOrder(deal, `withdrawn:${appealId}`),
    });
  }

  /** Returns the coins to the seller in a call. */
  returnCoinsInCall(deal: Deal, why: ReturnReason, answer: Notice): Decision {
    return this.returns[why].move({ object: deal.id, command: createReturnOrder(deal, why), answer });
  }

  /** Returns what an ad held for its surplus to its owner, in a call; `before` is the ad before the withdrawal. */
  withdrawInCall(before: Ad, answer: Notice): Decision {
    return this.withdrawals.move({ object: String(before.id), command: createWithdrawOrder(before), answer });
  }
  /** Returns it without waiting. */
  withdraw(tx: Tx, before: Ad): Promise<void> {
    return this.withdrawals.begin(tx, { object: String(before.id), command: createWithdrawOrder(before) });
  }

  /** The seller's part first; a second part when the buyer's account lies in another partition of the ledger. */
  private createReleaseOrders(deal: Deal): LedgerOrder[] {
    const { id, currencyId: currency, scale, number, fee, sellerAccount } = deal;
    const from = held(sellerOf(deal), sellerAccount, dealHoldName(deal));
    const legs: Leg[] = [
      { from, to: available(buyerOf(deal), 'legal'), currency, amount: formatUnits(number, scale) },
      ...(fee === 0n ? [] : [{ from, to: FEES, currency, amount: formatUnits(fee, scale), fee: true }]),
    ];
    const journal = { id: `deal:${id}:release`, causeType: DEAL_CAUSE, causeId: id, legs };
    const own = ledgerPartition(sellerOf(deal), this.partitions);
    return splitJournal(journal, this.partitions)
      .sort((a, b) => Number(b.partition === own) - Number(a.partition === own))
      .map(({ userId, journal: part }) => ({ issuer: ISSUER, userId, onBehalfOf: null, journals: [part] }));
  }
}

/** Holds a seller's coins for a deal when a buy ad is taken; the ledger may refuse it, so a saga sends it. */
export const createHoldOrder = (deal: Deal): LedgerOrder =>
  createDealHoldOrder(deal, `deal:${deal.id}:hold`, sellerOf(deal));
/** Holds the coins again without the seller, for an appeal after a cancel by deadline; the ledger may refuse it. */
export const createReholdOrder = (deal: Deal, appealId: string): LedgerOrder =>
  createDealHoldOrder(deal, `deal:${deal.id}:again:${appealId}`, null);

function createDealHoldOrder(deal: Deal, journalId: string, onBehalfOf: number | null): LedgerOrder {
  const { id, currencyId: currency, scale, sellerAccount } = deal;
  const seller = sellerOf(deal);
  const leg: Leg = {
    from: available(seller, sellerAccount),
    to: held(seller, sellerAccount, `deal:${id}`),
    currency,
    amount: formatUnits(dealHoldAmount(deal), scale),
  };
  return {
    issuer: ISSUER,
    userId: seller,
    onBehalfOf,
    journals: [{ id: journalId, causeType: DEAL_CAUSE, causeId: id, legs: [leg] }],
  };
}

function createReturnOrder(deal: Deal, why: ReturnReason | `withdrawn:${string}`): LedgerOrder {
  const { id, currencyId: currency, scale, sellerAccount } = deal;
  const seller = sellerOf(deal);
  const leg: Leg = {
    from: held(seller, sellerAccount, dealHoldName(deal)),
    to: available(seller, sellerAccount),
    currency,
    amount: formatUnits(dealHoldAmount(deal), scale),
  };
  return {
    issuer: ISSUER,
    userId: seller,
    onBehalfOf: null,
    journals: [{ id: `deal:${id}:${why}`, causeType: DEAL_CAUSE, causeId: id, legs: [leg] }],
  };
}

/** Holds coins and fee of a new sell ad; the ledger may refuse it. */
export const createPublishOrder = (ad: Ad): LedgerOrder => createAdOrder(ad, 'publish', ad.ownerId);
const createWithdrawOrder = (before: Ad): LedgerOrder => createAdOrder(before, 'withdraw', null);

function createAdOrder(ad: Ad, what: 'publish' | 'withdraw', onBehalfOf: number | null): LedgerOrder {
  const { id, ownerId, ownerAccount, currencyId: currency, scale } = ad;
  const free = available(ownerId, ownerAccount);
  const hold = held(ownerId, ownerAccount, adHoldName(id));
  const [from, to] = what === 'publish' ? [free, hold] : [hold, free];
  const legs: Leg[] = [{ from, to, currency, amount: formatUnits(surplusHold(ad), scale) }];
  return {
    issuer: ISSUER,
    userId: ownerId,
    onBehalfOf,
    journals: [{ id: `ad:${id}:${what}`, causeType: AD_CAUSE, causeId: String(id), legs }],
  };
}
