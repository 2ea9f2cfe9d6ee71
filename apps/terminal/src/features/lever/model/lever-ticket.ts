import type { Direction } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import { createTicket } from '../../../core/ticket/create-ticket.js';
import { acceptTyping, toDecimalText } from '../../../core/ticket/typing.js';
import { judgeOffer, type Offered, type OfferTerms } from './offer.js';
import { contractsIn, sizeOf, sizeScale, type Size, type SizeTerms, type SizeUnit } from './size.js';

/** std opens at the market, xtd when the mark price touches the target (api §2.5: status 1 and 0). */
export type LeverMode = 'std' | 'xtd';

/** The form of a leverage order; the texts are what the fields show. */
export interface LeverTicket {
  readonly direction: Direction;
  readonly mode: LeverMode;
  /** One of the multiples offered; 0 until they are known. */
  readonly multiple: number;
  readonly price: string;
  /** Contracts. */
  readonly share: string;
  /** The amount that was typed in another unit; `share` follows from it. Absent where contracts were chosen. */
  readonly size?: Size | undefined;
  /** Share of the most contracts that fit, as the slider shows it. */
  readonly percent: number;
  readonly stopsOn: boolean;
  readonly target: string;
  readonly stop: string;
}

export type LeverTicketAction =
  | { readonly type: 'direction'; readonly direction: Direction }
  | { readonly type: 'mode'; readonly mode: LeverMode }
  | { readonly type: 'multiple'; readonly multiple: number }
  | { readonly type: 'price' | 'share' | 'target' | 'stop'; readonly text: string }
  | { readonly type: 'size'; readonly size: Size }
  | { readonly type: 'step'; readonly field: 'price' | 'share' | 'target' | 'stop'; readonly ticks: number }
  | { readonly type: 'percent'; readonly percent: number; readonly maxShare: bigint }
  | { readonly type: 'pick'; readonly price: string }
  | { readonly type: 'stops'; readonly on: boolean }
  | { readonly type: 'pressed' }
  | { readonly type: 'sent' };

export interface LeverInputs {
  readonly priceScale: number;
  readonly numberScale: number;
  /** Undefined until the account's terms are known: then the server alone judges. */
  readonly terms: OfferTerms | undefined;
  readonly shareMin: number;
  /** 0: none. */
  readonly shareMax: number;
}

type LeverFaultKey =
  | 'lever.multipleRequired'
  | 'lever.priceRequired'
  | 'lever.shareInteger'
  | 'lever.shareMin'
  | 'lever.shareMax'
  | 'lever.sizeSmall'
  | 'lever.entrustSide'
  | 'lever.stopSide'
  | 'lever.stopBeyond'
  | 'balance.insufficient'
  | 'lever.riskOpen';
export interface LeverFault {
  readonly field: 'multiple' | 'price' | 'share' | 'target' | 'stop';
  readonly key: LeverFaultKey;
  readonly params?: Readonly<Record<string, string>>;
}

export const emptyLeverTicket = (direction: Direction): LeverTicket => ({
  direction,
  mode: 'std',
  multiple: 0,
  price: '',
  share: '',
  percent: 0,
  stopsOn: false,
  target: '',
  stop: '',
});

/** Units of a typed price; 0 for none. */
const priceUnits = (text: string, scale: number): bigint => {
  const typed = toDecimalText(text);
  return typed === '' || (typed.split('.')[1]?.length ?? 0) > scale ? 0n : toUnits(typed, scale);
};

/** A price moved by ticks, never at or below zero (rules §16); an empty field starts at `from`. */
export function stepPrice(text: string, from: string, ticks: bigint, scale: number): string {
  const units = priceUnits(text === '' ? from : text, scale) + (text === '' ? 0n : ticks);
  return units <= 0n ? text : unitsText(units, scale);
}

const unitsText = (units: bigint, scale: number): string => {
  const digits = units.toString().padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
};
const sharesOf = (ticket: LeverTicket): bigint => (/^\d{1,15}$/.test(ticket.share) ? BigInt(ticket.share) : 0n);

/** The values that turn a size into contracts; undefined until the account's terms are known. */
export const sizeTermsOf = (
  ticket: Pick<LeverTicket, 'mode' | 'direction' | 'price'>,
  { terms }: LeverInputs,
): SizeTerms | undefined =>
  terms && { terms, direction: ticket.direction, base: ticket.mode === 'xtd' ? ticket.price : terms.mark };

/** The size of the ticket as a field of a unit shows it: as typed, else that of the contracts. */
export function sizeText(ticket: LeverTicket, unit: SizeUnit, inputs: LeverInputs): string {
  if (unit === 'contracts') return ticket.share;
  if (ticket.size?.unit === unit) return ticket.size.text;
  const by = sizeTermsOf(ticket, inputs);
  return by && ticket.share !== '' ? sizeOf(sharesOf(ticket), unit, by) : '';
}

/**
 * Contracts follow the typed size with each change of the form and with the press: a market order takes the mark price
 * of the press, so that its value does not exceed what was typed.
 */
function reduce(ticket: LeverTicket, action: LeverTicketAction, inputs: LeverInputs): LeverTicket {
  const next = change(ticket, action, inputs);
  const by = next.size && sizeTermsOf(next, inputs);
  if (!next.size || !by) return next;
  const contracts = contractsIn(next.size, by);
  const share = contracts > 0n ? contracts.toString() : '';
  return share === next.share ? next : { ...next, share, percent: 0 };
}

function change(ticket: LeverTicket, action: LeverTicketAction, inputs: LeverInputs): LeverTicket {
  const { priceScale } = inputs;
  switch (action.type) {
    case 'direction':
      return { ...ticket, direction: action.direction };
    case 'mode':
      return { ...ticket, mode: action.mode };
    case 'multiple':
      return { ...ticket, multiple: action.multiple, percent: 0 };
    case 'share': {
      const share = acceptTyping(action.text, 0);
      return share === undefined ? ticket : { ...ticket, share, percent: 0, size: undefined };
    }
    case 'size': {
      const { unit } = action.size;
      const text = acceptTyping(action.size.text, sizeScale(unit, inputs.numberScale));
      if (text === undefined) return ticket;
      return { ...ticket, share: '', percent: 0, size: text === '' ? undefined : { unit, text } };
    }
    case 'price':
    case 'target':
    case 'stop': {
      const text = acceptTyping(action.text, priceScale);
      return text === undefined ? ticket : { ...ticket, [action.type]: text };
    }
    case 'step': {
      if (action.field === 'share') {
        const share = sharesOf(ticket) + BigInt(action.ticks);
        return { ...ticket, share: (share < 1n ? 1n : share).toString(), percent: 0, size: undefined };
      }
      const mark = inputs.terms?.mark ?? '';
      return { ...ticket, [action.field]: stepPrice(ticket[action.field], mark, BigInt(action.ticks), priceScale) };
    }
    case 'percent': {
      const share = (action.maxShare * BigInt(action.percent)) / 100n;
      return { ...ticket, percent: action.percent, share: share > 0n ? share.toString() : '', size: undefined };
    }
    case 'pick':
      return { ...ticket, mode: 'xtd', price: toDecimalText(action.price) };
    case 'stops':
      return { ...ticket, stopsOn: action.on };
    case 'pressed':
      return ticket;
    case 'sent':
      return { ...ticket, share: '', size: undefined, percent: 0, price: '', target: '', stop: '', stopsOn: false };
  }
}

/** A preview of the order, when enough is known. */
export const offerOf = (ticket: LeverTicket, { terms }: LeverInputs): Offered | undefined =>
  terms &&
  judgeOffer(terms, {
    direction: ticket.direction,
    multiple: ticket.multiple,
    share: sharesOf(ticket),
    base: ticket.mode === 'xtd' ? toDecimalText(ticket.price) : terms.mark,
  });

/** The first fault in the order of rules §12.6; what only the house knows is left to the server. */
function validate(ticket: LeverTicket, inputs: LeverInputs): LeverFault | undefined {
  const { terms, priceScale, shareMin, shareMax } = inputs;
  if (ticket.multiple === 0) return { field: 'multiple', key: 'lever.multipleRequired' };
  const price = priceUnits(ticket.price, priceScale);
  if (ticket.mode === 'xtd' && price === 0n) return { field: 'price', key: 'lever.priceRequired' };
  const share = sharesOf(ticket);
  if (share === 0n) return sizeFault(ticket, inputs) ?? { field: 'share', key: 'lever.shareInteger' };
  if (share < BigInt(shareMin)) return { field: 'share', key: 'lever.shareMin', params: { min: String(shareMin) } };
  if (shareMax > 0 && share > BigInt(shareMax))
    return { field: 'share', key: 'lever.shareMax', params: { max: String(shareMax) } };
  const offer = offerOf(ticket, inputs);
  if (!terms || !offer) return undefined;
  const mark = priceUnits(terms.mark, priceScale);
  if (ticket.mode === 'xtd' && (ticket.direction === 'long' ? price >= mark : price <= mark))
    return { field: 'price', key: 'lever.entrustSide' };
  return stopsFault(ticket, inputs, offer) ?? accountFault(offer);
}

/** A typed amount that is less than one contract. */
function sizeFault(ticket: LeverTicket, inputs: LeverInputs): LeverFault | undefined {
  const by = sizeTermsOf(ticket, inputs);
  if (!ticket.size || !by) return undefined;
  const min = sizeOf(1n, ticket.size.unit, by);
  return min === '' ? undefined : { field: 'share', key: 'lever.sizeSmall', params: { min } };
}

function stopsFault(ticket: LeverTicket, { priceScale }: LeverInputs, offer: Offered): LeverFault | undefined {
  if (!ticket.stopsOn) return undefined;
  const stops = { target: priceUnits(ticket.target, priceScale), stop: priceUnits(ticket.stop, priceScale) };
  const fault = offer.stopFault(stops);
  if (fault === 'side') {
    const ofTarget = offer.stopFault({ target: stops.target, stop: 0n }) !== null;
    return { field: ofTarget ? 'target' : 'stop', key: 'lever.stopSide' };
  }
  return fault === null
    ? undefined
    : { field: 'stop', key: 'lever.stopBeyond', params: { limit: offer.figures.liquidation_price } };
}

function accountFault(offer: Offered): LeverFault | undefined {
  if (!offer.covered) return { field: 'share', key: 'balance.insufficient' };
  return offer.opens
    ? undefined
    : { field: 'share', key: 'lever.riskOpen', params: { max: offer.figures.max_share.toString() } };
}

/** Fields of the order as the call takes them. */
export function leverFields(ticket: LeverTicket): {
  type: 1 | 2;
  status: 0 | 1;
  multiple: number;
  share: string;
  target_price?: string;
  target_profit_price?: string;
  stop_loss_price?: string;
} {
  const target = ticket.stopsOn ? toDecimalText(ticket.target) : '';
  const stop = ticket.stopsOn ? toDecimalText(ticket.stop) : '';
  return {
    type: ticket.direction === 'long' ? 1 : 2,
    status: ticket.mode === 'std' ? 1 : 0,
    multiple: ticket.multiple,
    share: sharesOf(ticket).toString(),
    ...(ticket.mode === 'xtd' && { target_price: toDecimalText(ticket.price) }),
    ...(target !== '' && { target_profit_price: target }),
    ...(stop !== '' && { stop_loss_price: stop }),
  };
}

/** The leverage ticket in the frame that all tickets share. A market order is always asked about. */
export const LEVER_TICKET = createTicket({
  reduce,
  summarize: (ticket: LeverTicket, inputs: LeverInputs) => ({ offer: offerOf(ticket, inputs), mode: ticket.mode }),
  validate,
  fields: leverFields,
  mustConfirm: ({ mode }) => mode === 'std',
  sent: { type: 'sent' },
  pressed: { type: 'pressed' },
});
