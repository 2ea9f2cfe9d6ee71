import { ledgerPartition, LedgerCommandV1, TOPICS, type TypedNotice } from '@bourse/events';
import { formatUnits } from '@bourse/money';
import type { Emission } from '@bourse/persistence';
import { exitOrders, hasExits, heldScale, lotsToClose, type Market, type Order } from '@bourse/matching';
import { ORDERS_LINK } from './filled-notices.js';
import { placeMessage } from './order-messages.js';
import { holdJournal } from './settlement.js';

/**
 * The command that holds money for the exits of a done order and forwards them to its book, or the notice to its owner
 * when the filled amount is less than a lot; null: it has no exits, or nothing was filled. The ledger applies the
 * command after the journals of the fills. It holds the available part of the need: the book ends exits that hold less
 * than they need, since the owner has moved the money away.
 */
export function exitsOf(
  market: Market,
  parent: Order,
  { partition, ledgerPartitions, newId }: ExitTargets,
): { readonly emission: Emission } | { readonly dropped: TypedNotice } | null {
  if (!hasExits(parent) || parent.filled === 0) return null;
  const quantity = lotsToClose(market, parent);
  if (quantity === 0) return { dropped: exitsDropped(market, parent, parent.id) };
  const { first, stopLeg, need } = exitOrders(market, parent, quantity, newId);
  const { userId, side } = first;
  const command = LedgerCommandV1.encode({
    issuer: 'spot-matching',
    userId,
    onBehalfOf: userId,
    journals: [holdJournal(market, first, { max: formatUnits(need, heldScale(market, side)), min: '0' })],
    forward: {
      topic: TOPICS.spotCommands,
      partition,
      message: placeMessage(market, first, stopLeg),
    },
  });
  const to = ledgerPartition(userId, ledgerPartitions);
  return { emission: { topic: TOPICS.ledgerCommands, partition: to, message: command } };
}

export interface ExitTargets {
  /** The partition of the market. */
  readonly partition: number;
  readonly ledgerPartitions: number;
  readonly newId: () => string;
}

/** The notice to the owner that the exits of an order could not be placed; both exits share its id. */
const exitsDropped = (market: Market, { userId, updatedAt }: Order, parentId: string): TypedNotice => ({
  userId,
  id: `order:${parentId}:exits`,
  kind: 'exitsDropped',
  params: { symbol: market.symbol },
  link: ORDERS_LINK,
  at: updatedAt,
});

/**
 * The notice of an order that ended; null unless it was an exit that could not be placed: its money no longer covered
 * it, or its market was not open when it arrived.
 */
export const droppedExit = (market: Market, order: Order): TypedNotice | null =>
  order.parentId !== '' && (order.reason === 'balance' || order.reason === 'operator')
    ? exitsDropped(market, order, order.parentId)
    : null;
