import { createTicket } from '../../../core/ticket/create-ticket.js';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { reduceTicket } from './reduce-ticket.js';
import { summarizeTicket } from './summarize-ticket.js';
import {
  hasExits,
  isMarket,
  isStop,
  type OrderKind,
  type Ticket,
  type TicketAction,
  type TicketInputs,
  type TicketPair,
  type TicketSummary,
} from './ticket.js';
import { validateTicket } from './validate-ticket.js';

/** Fields of the order as the call takes them. */
export function orderFields(ticket: Ticket): {
  target_price?: string;
  amount: string;
  order_type: OrderKind;
  stop_price?: string;
  trigger_by?: 'mark';
  stop_limit_price?: string;
  trail_percent?: string;
  trail_amount?: string;
  activation_price?: string;
  take_profit?: string;
  stop_loss?: string;
  time_in_force?: 'IOC' | 'FOK';
  post_only?: 1;
} {
  const { kind } = ticket;
  const stop = isStop(ticket)
    ? {
        stop_price: toDecimalText(ticket.stopPrice),
        ...(ticket.triggerBy === 'mark' && { trigger_by: ticket.triggerBy }),
      }
    : {};
  const amount = toDecimalText(ticket.amount);
  if (kind === 'trailing_stop')
    return {
      amount,
      order_type: kind,
      [ticket.trailBy === 'percent' ? 'trail_percent' : 'trail_amount']: toDecimalText(ticket.trail),
      ...(ticket.activation !== '' && { activation_price: toDecimalText(ticket.activation) }),
    };
  if (kind === 'oco')
    return {
      target_price: toDecimalText(ticket.price),
      amount,
      order_type: kind,
      stop_price: toDecimalText(ticket.stopPrice),
      ...(ticket.stopLimit !== '' && { stop_limit_price: toDecimalText(ticket.stopLimit) }),
    };
  const exits = hasExits(ticket)
    ? {
        ...(ticket.takeProfit !== '' && { take_profit: toDecimalText(ticket.takeProfit) }),
        ...(ticket.stopLoss !== '' && { stop_loss: toDecimalText(ticket.stopLoss) }),
      }
    : {};
  if (isMarket(ticket)) return { amount, order_type: kind, ...stop, ...exits };
  return {
    target_price: toDecimalText(ticket.price),
    amount,
    order_type: kind,
    ...stop,
    ...(ticket.timeInForce !== 'GTC' && { time_in_force: ticket.timeInForce }),
    ...(ticket.postOnly && { post_only: 1 as const }),
    ...exits,
  };
}

/** The known values of a spot ticket besides the typed ones. */
export interface SpotInputs extends TicketInputs {
  readonly pair: TicketPair;
}

/** The spot ticket in the frame that all tickets share. */
export const SPOT_TICKET = createTicket({
  reduce: (ticket: Ticket, action: TicketAction, { pair, opposite }: SpotInputs) =>
    reduceTicket(ticket, action, pair, opposite),
  summarize: (ticket, inputs) => summarizeTicket(ticket, inputs, inputs.pair),
  validate: (ticket, inputs) => validateTicket(ticket, inputs, inputs.pair),
  fields: orderFields,
  mustConfirm: ({ mustConfirm }: TicketSummary, armed) =>
    armed ? mustConfirm === 'farPrice' || mustConfirm === 'movesPrice' : mustConfirm !== '',
  sent: { type: 'reset' },
  pressed: { type: 'settle' },
});
