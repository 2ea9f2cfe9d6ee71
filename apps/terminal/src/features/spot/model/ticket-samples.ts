import { reduceTicket } from './reduce-ticket.js';
import {
  emptyTicket,
  type Side,
  type Ticket,
  type TicketAction,
  type TicketInputs,
  type TicketPair,
} from './ticket.js';

/** A pair, a book and a balance for the tests of the ticket. */
export const btc: TicketPair = {
  priceScale: 2,
  numberScale: 6,
  minTotal: '1',
  takerFee: '0.1',
  makerFee: '0.1',
  marketBand: '5',
};
export const inputs: TicketInputs = {
  available: '10000',
  lastPrice: '56637.56',
  opposite: [
    ['56637.56', '0.2'],
    ['56690', '0.3'],
    ['58000', '1'],
  ],
};
/** The ticket after these actions. */
export const run = (side: Side, actions: readonly TicketAction[], pair = btc): Ticket =>
  actions.reduce((ticket, action) => reduceTicket(ticket, action, pair), emptyTicket(side));
