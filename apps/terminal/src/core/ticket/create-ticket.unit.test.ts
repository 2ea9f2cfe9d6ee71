import { describe, expect, test } from '@jest/globals';
import { createTicket } from './create-ticket.js';

/** The smallest ticket: an amount that must not be over a limit, and is asked about above 10. */
const TICKET = createTicket({
  reduce: (_amount: number, typed: number) => typed,
  summarize: (amount: number, { fee }: { fee: number; limit: number }) => amount + fee,
  validate: (amount, { limit }) => (amount > limit ? 'overLimit' : undefined),
  fields: (amount) => ({ amount: String(amount) }),
  mustConfirm: (cost: number) => cost > 10,
  sent: 0,
});
const inputs = { fee: 1, limit: 20 };

describe('the main button of a ticket [TICKET-020]', () => {
  test('shows the fault before anything else', () => {
    expect(TICKET.press(21, inputs, true)).toEqual({ kind: 'fault', fault: 'overLimit' });
  });

  test('asks, unless the person chose not to be asked', () => {
    expect([TICKET.press(5, inputs, false), TICKET.press(5, inputs, true)]).toEqual([
      { kind: 'confirm' },
      { kind: 'send' },
    ]);
  });

  test('asks all the same where the figures say so', () => {
    expect(TICKET.press(10, inputs, true)).toEqual({ kind: 'confirm' });
  });
});
