import type { LeverDeal, LeverPosition, LeverPreview, QuotationItem } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import { emptyLeverTicket, LEVER_TICKET, leverFields, offerOf, type LeverTicket } from './lever-ticket.js';
import { accountOf, termsOf } from './offer.js';

type Reversed = Pick<LeverPosition, 'type' | 'multiple' | 'share' | 'update_price'>;

/** The market order that opens the opposite of a position: as many contracts, the same multiple, no stops. */
const oppositeTicket = ({ type, multiple, share }: Omit<Reversed, 'update_price'>): LeverTicket => ({
  ...emptyLeverTicket(type === 1 ? 'short' : 'long'),
  multiple,
  share: String(share),
});

/** The fields of that order. */
export const oppositeFields = (row: Omit<Reversed, 'update_price'>): ReturnType<typeof leverFields> =>
  leverFields(oppositeTicket(row));

/** The opposite of a position as it would open right after the close, at the present mark price. */
export interface Opposite {
  readonly figures: LeverPreview | undefined;
  /** Why it would be refused, by what is known before the close. */
  readonly fault: { readonly key: string; readonly params: Readonly<Record<string, string>> } | undefined;
}

/**
 * Judges the opposite of a position before the position is closed: a close that leaves too little for the opposite is
 * then not begun. Only the limits of the house are left to the server.
 *
 * @param rows all open positions of the quote, `row` included
 */
export function judgeOpposite(
  row: LeverPosition,
  rows: readonly LeverPosition[],
  deal: LeverDeal,
  pair: Pick<QuotationItem, 'price_scale' | 'number_scale'>,
): Opposite {
  const stays = accountOf(
    deal.user_lever,
    rows.filter(({ id }) => id !== row.id),
  );
  const freed = toUnits(row.caution_money, COIN_SCALE) + toUnits(row.profits, COIN_SCALE);
  const account = { ...stays, balance: stays.balance + freed };
  const inputs = {
    priceScale: pair.price_scale,
    numberScale: pair.number_scale,
    terms: termsOf(pair, deal, row.update_price, account),
    shareMin: deal.lever_share_limit.min,
    shareMax: deal.lever_share_limit.max,
  };
  const ticket = oppositeTicket(row);
  const fault = LEVER_TICKET.validate(ticket, inputs);
  return {
    figures: offerOf(ticket, inputs)?.figures,
    fault: deal.multiple.muit.some(({ value }) => value === row.multiple)
      ? fault && { key: fault.key, params: fault.params ?? {} }
      : { key: 'lever.multipleGone', params: { multiple: String(row.multiple) } },
  };
}
