import {
  available,
  held,
  ledgerPartition,
  LedgerCommandV1,
  orderHold,
  TOPICS,
  type Leg,
  type SpotAmend,
} from '@bourse/events';
import type { Emission } from '@bourse/persistence';
import { formatUnits } from '@bourse/money';
import {
  type Amended,
  baseOf,
  heldCurrency,
  heldScale,
  type Market,
  type Trade,
  type Order,
  type HoldMove,
} from '@bourse/matching';

interface Journal {
  readonly id: string;
  readonly causeType: string;
  readonly causeId: string;
  readonly legs: Leg[];
}

/**
 * Journals of a trade (rules §2): one, or one a side through clearing when buyer and seller live in two partitions of
 * the ledger. Each takes only from the hold of its own order and from what it has just credited, so that neither can be
 * refused.
 */
export function settlementOf(market: Market, trade: Trade, partitions: number): Emission[] {
  const buyerPartition = ledgerPartition(trade.buyer.userId, partitions);
  const sellerPartition = ledgerPartition(trade.seller.userId, partitions);
  const buyer = trade.buyer.userId;
  const seller = trade.seller.userId;
  const buyerHeld = held(buyer, 'change', orderHold(trade.buyer.id));
  const sellerHeld = held(seller, 'change', orderHold(trade.seller.id));
  const quoteLeg = (from: string, to: string, units: bigint, fee = false): Leg[] =>
    leg(from, to, market.quoteId, units, market.quoteScale, fee);
  const baseLeg = (from: string, to: string, units: bigint, fee = false): Leg[] =>
    leg(from, to, market.baseId, units, market.baseScale, fee);
  const base = baseOf(market, trade.quantity);
  const id = `trade:${market.symbol}:${trade.sequence}`;
  const causeId = `${market.symbol}-${trade.sequence}`;
  const [buyerFree, sellerFree] = [available(buyer, 'change'), available(seller, 'change')];
  const improvement = quoteLeg(buyerHeld, buyerFree, trade.improvement);
  // Each side is credited gross and pays its own fee of it: a statement shows one's own fee and nobody else's.
  const sellerFee = quoteLeg(sellerFree, 'h.fees', trade.sellerFee, true);
  const buyerFee = baseLeg(buyerFree, 'h.fees', trade.buyerFee, true);
  if (buyerPartition === sellerPartition) {
    return [
      command(buyerPartition, trade.taker.userId, {
        id,
        causeType: 'trade',
        causeId,
        legs: [
          ...quoteLeg(buyerHeld, sellerFree, trade.quote),
          ...sellerFee,
          ...baseLeg(sellerHeld, buyerFree, base),
          ...buyerFee,
          ...improvement,
        ],
      }),
    ];
  }
  return [
    command(buyerPartition, buyer, {
      id: `${id}:buy`,
      causeType: 'trade',
      causeId,
      legs: [
        ...quoteLeg(buyerHeld, 'h.clearing', trade.quote),
        ...baseLeg('h.clearing', buyerFree, base),
        ...buyerFee,
        ...improvement,
      ],
    }),
    command(sellerPartition, seller, {
      id: `${id}:sell`,
      causeType: 'trade',
      causeId,
      legs: [
        ...baseLeg(sellerHeld, 'h.clearing', base),
        ...quoteLeg('h.clearing', sellerFree, trade.quote),
        ...sellerFee,
      ],
    }),
  ];
}

/** The hold of an order that is placed. */
export const holdJournal = (
  market: Market,
  { id, userId, side }: Pick<Order, 'id' | 'userId' | 'side'>,
  amount: Leg['amount'],
): Journal => ({
  id: `order:${id}:hold`,
  causeType: 'order',
  causeId: id,
  legs: [
    {
      from: available(userId, 'change'),
      to: held(userId, 'change', orderHold(id)),
      currency: heldCurrency(market, side),
      amount,
    },
  ],
});

/**
 * Gives back what is left of the hold of an order that has ended; nothing when nothing is left. The amount is named, so
 * that a release that the ledger reads before an older change of the hold, which the former partition of the market has
 * sent, takes no more and no less than its own [LEDGER-057].
 */
export function releaseOf(market: Market, order: Order, partitions: number): Emission[] {
  if (order.holdLeft === 0n) return [];
  return [
    command(ledgerPartition(order.userId, partitions), order.userId, {
      id: `order:${order.id}:release`,
      causeType: 'order',
      causeId: order.id,
      legs: [
        {
          from: held(order.userId, 'change', orderHold(order.id)),
          to: available(order.userId, 'change'),
          currency: heldCurrency(market, order.side),
          amount: formatUnits(order.holdLeft, heldScale(market, order.side)),
        },
      ],
    }),
  ];
}

/** The money that leaves the hold of a pair: into the hold of the started stop leg, or back to its owner. */
export function holdMoveOf(market: Market, { limit, stop, units }: HoldMove, partitions: number): Emission {
  const { id, userId, side } = limit;
  const currency = heldCurrency(market, side);
  const to = stop ? held(userId, 'change', orderHold(stop.id)) : available(userId, 'change');
  return command(ledgerPartition(userId, partitions), userId, {
    id: `order:${stop?.id ?? id}:${stop ? 'hold' : 'unlinked'}`,
    causeType: 'order',
    causeId: stop?.id ?? id,
    legs: leg(held(userId, 'change', orderHold(id)), to, currency, units, heldScale(market, side), false),
  });
}

/** The hold of an amended order as it needs it now; what was held for the amend is spent or given back whole. */
export function adjustmentOf(market: Market, { amend, order, taken, given }: Amended, partitions: number): Emission[] {
  const { userId, side } = order;
  const currency = heldCurrency(market, side);
  const [ofOrder, ofAmend] = [held(userId, 'change', orderHold(order.id)), held(userId, 'change', orderHold(amend.id))];
  const free = available(userId, 'change');
  const legs = [
    ...leg(ofAmend, ofOrder, currency, taken, heldScale(market, side), false),
    ...leg(ofOrder, free, currency, given, heldScale(market, side), false),
    ...(amend.held > taken ? [rest(ofAmend, free, currency)] : []),
  ];
  if (legs.length === 0) return [];
  return [
    command(ledgerPartition(userId, partitions), userId, {
      id: `order:${amend.id}:amended`,
      causeType: 'order',
      causeId: order.id,
      legs,
    }),
  ];
}

/** Gives back what was held for an amend that its order has not taken. */
export function amendReleaseOf({ amendId, orderId, userId, currency }: SpotAmend, partitions: number): Emission {
  return command(ledgerPartition(userId, partitions), userId, {
    id: `order:${amendId}:release`,
    causeType: 'order',
    causeId: orderId,
    legs: [rest(held(userId, 'change', orderHold(amendId)), available(userId, 'change'), currency)],
  });
}

/** All that remains in a hold. */
const rest = (from: string, to: string, currency: number): Leg => ({ from, to, currency, amount: 'rest' });

/** Zero-amount legs are dropped. */
function leg(from: string, to: string, currency: number, units: bigint, scale: number, fee: boolean): Leg[] {
  if (units === 0n) return [];
  const amount = formatUnits(units, scale);
  return [fee ? { from, to, currency, amount, fee } : { from, to, currency, amount }];
}

function command(partition: number, userId: number, journal: Journal): Emission {
  return {
    topic: TOPICS.ledgerCommands,
    partition,
    message: LedgerCommandV1.build({ issuer: 'spot-matching', userId, journals: [journal] }),
  };
}
