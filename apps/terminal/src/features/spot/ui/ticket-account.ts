import type { QuotationItem } from '@bourse/contract';
import { notifyAccepted } from '../../../core/notifications/start.js';
import { useSignedIn } from '../../../core/session.js';
import { spotBalance, useWallet } from '../../../core/wallet.js';
import type { OrderCommand } from '../api/orders.js';
import type { Side } from '../model/ticket.js';

/** The account that a ticket trades with: the person's, or the one of a practice. */
export interface TicketAccount {
  /** Nobody is signed in: the button leads to the sign-in. */
  readonly isGuest: boolean;
  /** Free balance of what the side pays with; undefined until it is known. */
  readonly available: (side: Side) => string | undefined;
  /** Sends an order under an intent; a refusal is thrown. */
  readonly place: (command: OrderCommand, intent: string) => Promise<void>;
}

/** The person's own account at the exchange. */
export function useOwnAccount(pair: QuotationItem): TicketAccount {
  const { wallet } = useWallet();
  return {
    isGuest: !useSignedIn(),
    available: (side) => spotBalance(wallet, side === 'buy' ? pair.legal_id : pair.currency_id)?.change_balance,
    place: async (command, intent) => {
      const { placeOrder } = await import('../api/orders.js');
      void notifyAccepted(await placeOrder(command, intent, pair));
    },
  };
}
