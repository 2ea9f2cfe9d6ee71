import { useEffect, useEffectEvent, useRef, useSyncExternalStore, type RefObject } from 'react';
import type { QuotationItem } from '@bourse/contract';
import { ownRate } from '../../../core/own-rate.js';
import { useEventOnce } from '../../../core/ticket/use-event-once.js';
import { useTicket, type TicketHandle } from '../../../core/ticket/use-ticket.js';
import { stopsAll, type MarketBlock } from '../../../market/stream/market-block.js';
import { lastPriceOf } from '../../../market/stream/pair-stream.js';
import { SPOT_TICKET } from '../model/spot-ticket.js';
import {
  emptyTicket,
  isMarket,
  type Percent,
  type Side,
  type Ticket,
  type TicketAction,
  type TicketPair,
  type TicketSummary,
} from '../model/ticket.js';
import type { TicketError } from '../model/validate-ticket.js';
import type { TicketAccount } from './ticket-account.js';
import type { TicketProps } from './ticket.js';

const ticketPairOf = (pair: QuotationItem, level: TicketAccount['feeLevel']): TicketPair => ({
  priceScale: pair.price_scale,
  numberScale: pair.number_scale,
  minTotal: pair.min_total,
  takerFee: ownRate(pair.taker_fee, level?.taker_percent),
  makerFee: ownRate(pair.maker_fee, level?.maker_percent),
  marketBand: pair.market_band,
});

export interface SpotTicket extends TicketHandle<Ticket, TicketAction, TicketSummary, TicketError> {
  /** Free balance of what is paid with; undefined until it is known. */
  readonly available: string | undefined;
  /** Whether a stop can wait for the mark. */
  readonly hasMark: boolean;
  readonly percent: (percent: Percent) => void;
  /** Why this order cannot be sent now. */
  readonly block: MarketBlock | undefined;
}

/** One side's order form: the frame of tickets with the pair's market and the person's balance. */
export function useSpotTicket(
  { pair, stream, side, pick, command, onPlaced, account, blocked }: TicketProps,
  which: Side,
  amountField: RefObject<HTMLInputElement | null>,
  skipConfirm: boolean,
): SpotTicket {
  const snapshot = useSyncExternalStore(stream.subscribe, stream.snapshot);
  const buy = which === 'buy';
  const available = account.available(which);
  const lastPrice = lastPriceOf(snapshot, pair);
  const opposite = buy ? snapshot.asks : snapshot.bids;
  const form = useTicket(
    SPOT_TICKET,
    emptyTicket(which),
    { pair: ticketPairOf(pair, account.feeLevel), available, lastPrice, opposite },
    {
      skipConfirm,
      silence: 'ticket.noAnswer',
      place: async (fields, intent) => {
        const { legal_id, currency_id } = pair;
        await account.place({ legal_id, currency_id, type: buy ? 1 : 2, ...fields }, intent);
        onPlaced?.();
      },
    },
  );
  const percent = (chosen: Percent): void =>
    form.change({
      type: 'percent',
      percent: chosen,
      available: available ?? '0',
      lastPrice,
    });
  const block = !account.isGuest && (isMarket(form.ticket) || stopsAll(blocked)) ? blocked : undefined;
  // The last price is a first suggestion; it never replaces what was typed.
  const suggested = useRef(false);
  const suggest = useEffectEvent((price: string) => {
    if (suggested.current || price === '') return;
    suggested.current = true;
    form.change({ type: 'suggest', text: price });
  });
  useEffect(() => suggest(lastPrice), [lastPrice]);
  // Only the form in front takes a price from the book or a key: the side never flips by itself.
  const isInFront = which === side;
  useEventOnce(pick, (chosen) => {
    if (!isInFront) return false;
    if ('kind' in chosen && chosen.kind === 'stop') {
      form.change({ type: 'kind', kind: 'stop_market' });
      form.change({ type: 'stopPrice', text: chosen.price });
    } else form.change({ ...chosen, type: 'pick' });
    amountField.current?.focus();
    return true;
  });
  useEventOnce(command, (given) => {
    if (!isInFront) return false;
    if ('mode' in given) form.change({ type: 'kind', kind: given.mode });
    else percent(given.percent);
    return true;
  });
  return { ...form, available, hasMark: account.hasMark, percent, block };
}
