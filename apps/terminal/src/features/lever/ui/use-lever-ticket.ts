import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@bourse/api-client';
import type { LeverDeal, LeverPreview, QuotationItem } from '@bourse/contract';
import { formatBookPrice } from '@bourse/ui';
import { useEventOnce } from '../../../core/ticket/use-event-once.js';
import { useTicket, type TicketHandle } from '../../../core/ticket/use-ticket.js';
import { useLeave } from '../../../core/use-leave.js';
import { toastDone } from '@bourse/web';
import type { BookPick } from '../../../market/book/ladder-rows.js';
import { submitLever, useDeal, usePreview, type useBoard } from '../api/lever.js';
import {
  emptyLeverTicket,
  LEVER_TICKET,
  leverFields,
  sizeTermsOf,
  sizeText,
  type LeverFault,
  type LeverTicket,
  type LeverTicketAction,
} from '../model/lever-ticket.js';
import { accountOf, termsOf, type Offered } from '../model/offer.js';
import { sizeOf, type SizeUnit } from '../model/size.js';

/** Typing rests this long before the engine is asked what the order would be. */
const ASK_AFTER_MS = 300;

export interface LeverForm extends TicketHandle<
  LeverTicket,
  LeverTicketAction,
  { offer: Offered | undefined },
  LeverFault
> {
  readonly deal: LeverDeal | undefined;
  readonly mark: string;
  /** A preview of the order: by the engine once it has answered, by its formulas until then. */
  readonly preview: LeverPreview | undefined;
  /** Most hands that fit; 0 until known. */
  readonly maxShare: bigint;
  /** The size as a field of that unit shows it. */
  readonly sizeIn: (unit: SizeUnit) => string;
  /** The contracts of the ticket in the base, which a typed size may exceed. */
  readonly number: string;
  /** The most that fits in a unit; empty until known. */
  readonly mostIn: (unit: SizeUnit) => string;
  /** There is no fresh mark price: nothing opens. */
  readonly stale: boolean;
}

/** A side that was chosen outside of the ticket, by a key or a button; each choice is an object of its own. */
export interface SidePick {
  readonly direction: 'long' | 'short';
}

/** The leverage form: the frame of tickets with the account's terms, the positions of the quote and the mark price. */
export function useLeverTicket({
  pair,
  list: { board },
  pick,
  side,
  skipConfirm,
  onPlaced,
}: {
  pair: QuotationItem;
  list: ReturnType<typeof useBoard>;
  pick: BookPick | undefined;
  side: SidePick | undefined;
  skipConfirm: boolean;
  onPlaced: () => void;
}): LeverForm {
  const { t } = useTranslation();
  const leave = useLeave();
  const { deal, error } = useDeal(pair);
  const rows = board?.rows;
  // Positions move with the pushes, the deal only with its poll: a position of the pair has the newer mark price.
  const mark = rows?.find(({ symbol }) => symbol === pair.symbol)?.update_price ?? deal?.mark_price ?? '';
  const terms = useMemo(
    () => (deal && mark !== '' ? termsOf(pair, deal, mark, accountOf(deal.user_lever, rows ?? [])) : undefined),
    [deal, mark, rows, pair],
  );
  const inputs = {
    priceScale: pair.price_scale,
    numberScale: pair.number_scale,
    terms,
    shareMin: deal?.lever_share_limit.min ?? 1,
    shareMax: deal?.lever_share_limit.max ?? 0,
  };
  const ids = { legal_id: pair.legal_id, currency_id: pair.currency_id };
  const form = useTicket(LEVER_TICKET, emptyLeverTicket(side?.direction ?? 'long'), inputs, {
    skipConfirm,
    silence: 'lever.noAnswer',
    place: async (fields, intent) => {
      const message = await submitLever({ ...ids, ...fields }, intent);
      // A pending position has not opened yet: the toast names its price.
      const at = fields.target_price;
      toastDone(
        at === undefined
          ? message
          : t('lever.waits', { price: `\u2066${formatBookPrice(at, pair.price_scale)}\u2069` }),
      );
      onPlaced();
      void leave(
        fields.status === 1 ? `/leverTransactions?legalId=${ids.legal_id}&currencyId=${ids.currency_id}` : '/leverList',
      );
    },
  });
  const { ticket } = form;
  const firstMultiple = deal?.multiple.muit[0]?.value ?? 0;
  const suggest = useEffectEvent(() => {
    if (ticket.multiple === 0 && firstMultiple > 0) form.change({ type: 'multiple', multiple: firstMultiple });
  });
  useEffect(() => suggest(), [firstMultiple]);
  useEventOnce(pick, ({ price }) => {
    form.change({ type: 'pick', price });
    return true;
  });
  useEventOnce(side, ({ direction }) => {
    form.change({ type: 'direction', direction });
    return true;
  });
  // Stops are judged when the order is sent; what the order costs does not hang on them.
  const { target_profit_price: _target, stop_loss_price: _stop, ...asked } = leverFields(ticket);
  const whole = form.summary.offer?.covered === true && asked.share !== '0' && asked.multiple > 0;
  const command = useResting(whole ? { ...ids, ...asked } : undefined);
  const told = usePreview(command);
  const local = form.summary.offer?.figures;
  return {
    ...form,
    deal,
    mark,
    preview: told.preview ?? local,
    maxShare: BigInt(local?.max_share ?? 0),
    sizeIn: (unit) => sizeText(ticket, unit, inputs),
    number: sizeText({ ...ticket, size: undefined }, 'base', inputs),
    mostIn: (unit) => {
      const most = told.preview?.max_share ?? local?.max_share;
      const by = sizeTermsOf(ticket, inputs);
      if (most === undefined) return '';
      return unit === 'contracts' ? String(most) : by ? sizeOf(BigInt(most), unit, by) : '';
    },
    stale: isStale(error) || isStale(told.error),
  };
}

const isStale = (error: unknown): boolean => error instanceof ApiError && error.key === 'market.stale';

/** A value once it has stopped changing. */
function useResting<T>(value: T): T | undefined {
  const text = JSON.stringify(value);
  const [rested, setRested] = useState<string | undefined>();
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), ASK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested === text ? value : undefined;
}
