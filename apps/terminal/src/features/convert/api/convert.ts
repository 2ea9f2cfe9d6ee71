import { useQuery } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import { api, queryClient } from '../../../core/api.js';
import { outcomeOf, type Joint } from '../model/convert.js';

/** The book is read again this often while its price is shown. */
const BOOK_MS = 2_000;
/** An accepted market order ends within a moment; until then it is asked for this often. */
const ENDED_MS = 300;
const ENDED_TRIES = 40;
/** More fills than one conversion meets. */
const FILLS = 100;

/** The side of the book that a conversion meets, best first. */
export const useOtherSide = (joint: Joint | undefined) =>
  useQuery({
    queryKey: ['convert', 'book', joint?.pair.symbol ?? '', joint?.side ?? ''],
    enabled: joint !== undefined,
    refetchInterval: BOOK_MS,
    queryFn: async () => {
      const { legal_id, currency_id } = joint!.pair;
      const { message } = await api.post('/api/transaction/deal', { legal_id, currency_id }, { quiet: true });
      return joint!.side === 'sell' ? message.in : message.out;
    },
  });

/** The result of a conversion: decimal texts. */
export type Converted = ReturnType<typeof outcomeOf>;

/**
 * Sends the market order and waits for its end. @returns its outcome; undefined: it has not ended within a moment, or
 * its end could not be read, and it is among the orders. Throws only where the order was refused or not answered.
 */
export async function sendConversion(
  { pair, side }: Joint,
  amount: string,
  price: string,
  intent: string,
): Promise<Converted | undefined> {
  const { id } = await api.post(
    '/api/coin/trade',
    {
      legal_id: pair.legal_id,
      currency_id: pair.currency_id,
      type: side === 'buy' ? 1 : 2,
      order_type: 'market',
      target_price: price,
      amount,
      client_order_id: intent,
    },
    { intent, quiet: true },
  );
  return readOutcome(id, side).catch((error: unknown) => {
    console.debug('outcome of a conversion not read', error);
    return undefined;
  });
}

async function readOutcome(id: string, side: Joint['side']): Promise<Converted | undefined> {
  try {
    if (!(await endOf(id))) return undefined;
  } finally {
    void queryClient.invalidateQueries({ queryKey: keys.wallet });
  }
  const { message } = await api.get('/api/coin/fills', { order_id: id, limit: FILLS }, { quiet: true });
  return outcomeOf(side, message.data);
}

async function endOf(id: string): Promise<boolean> {
  for (let turn = 0; turn < ENDED_TRIES; turn += 1) {
    const { message: order } = await api.get('/api/coin/order', { id }, { quiet: true });
    if (order.status === 2) return true;
    await new Promise((resolve) => setTimeout(resolve, ENDED_MS));
  }
  return false;
}
