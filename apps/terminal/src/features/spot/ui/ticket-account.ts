import type { FeeLevelView, QuotationItem } from '@bourse/contract';
import { useFeeLevel } from '../../../core/fee-level.js';
import { notifyAccepted } from '../../../core/notifications/start.js';
import { useSignedIn } from '../../../core/session.js';
import { spotBalance, useWallet } from '../../../core/wallet.js';
import type { OrderCommand } from '../api/orders.js';
import type { Side } from '../model/ticket.js';

/** The account that a ticket trades with: the person's, or the one of a practice. */
export interface TicketAccount {
  /** Nobody is signed in: the button leads to the sign-in. */
  readonly isGuest: boolean;
  /** Whether a stop can wait for the mark: a practice has none. */
  readonly hasMark: boolean;
  /** Free balance of what the side pays with; undefined until it is known. */
  readonly available: (side: Side) => string | undefined;
  /** Part of the pair's rates that it pays, in percent; absent: all of them. */
  readonly feeLevel?: Pick<FeeLevelView, 'maker_percent' | 'taker_percent'> | undefined;
  /** Sends an order under an intent; a refusal is thrown. */
  readonly place: (command: OrderCommand, intent: string) => Promise<void>;
}

/** The person's own account at the exchange. */
export function useOwnAccount(pair: QuotationItem): TicketAccount {
  const { wallet } = useWallet();
  const { data: feeLevel } = useFeeLevel();
  const signedIn = useSignedIn();
  return {
    isGuest: !signedIn,
    hasMark: true,
    feeLevel: signedIn ? feeLevel : undefined,
    available: (side) => spotBalance(wallet, side === 'buy' ? pair.legal_id : pair.currency_id)?.change_balance,
    place: async (command, intent) => {
      const { placeOrder } = await import('../api/orders.js');
      void notifyAccepted(await placeOrder(command, intent, pair));
    },
  };
}
