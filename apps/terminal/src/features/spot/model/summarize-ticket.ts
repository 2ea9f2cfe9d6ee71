import { baseOf, COIN_SCALE, feeOf, percent } from '@bourse/formulas';
import { divide, formatTrimmed, formatUnits, pow10, toUnits } from '@bourse/money';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { isMarket, type Ticket, type TicketInputs, type TicketPair, type TicketSummary } from './ticket.js';
import { scalesOf, totalUnits, unitsOf, walkOf } from './ticket-units.js';

/** The cost or the yield of this order. The fee shown is the taker's, the larger case: received × rate, up. */
export function summarizeTicket(ticket: Ticket, inputs: TicketInputs, pair: TicketPair): TicketSummary {
  const amount = unitsOf(ticket.amount, pair.numberScale);
  const limited = !isMarket(ticket);
  const walked = !limited && amount > 0n ? walkOf(inputs.opposite, amount, pair) : undefined;
  const total = limited ? totalUnits(ticket, pair) : (walked?.cost ?? 0n);
  const received = ticket.side === 'buy' ? baseOf(scalesOf(pair), amount) : total;
  const fee = feeOf(received, percent(pair.takerFee));
  const known = amount > 0n && total > 0n;
  const price = limited
    ? toDecimalText(ticket.price)
    : walked && walked.worst > 0n
      ? formatUnits(walked.worst, pair.priceScale)
      : '';
  const gapPercent = gap(price, limited ? inputs.lastPrice : (inputs.opposite[0]?.[0] ?? ''));
  return {
    price,
    gapPercent,
    total: known ? formatTrimmed(total, COIN_SCALE) : '',
    fee: known ? formatTrimmed(fee, COIN_SCALE) : '',
    meanPrice:
      walked && walked.taken > 0n
        ? formatUnits(
            divide(
              walked.cost * pow10(pair.numberScale + pair.priceScale),
              walked.taken * pow10(COIN_SCALE),
              'half_up',
            ),
            pair.priceScale,
          )
        : '',
    shown: walked && walked.taken < amount ? formatTrimmed(walked.taken, pair.numberScale) : '',
    mustConfirm: !limited
      ? beyond(gapPercent, 2n)
        ? 'movesPrice'
        : 'market'
      : beyond(gapPercent, 5n)
        ? 'farPrice'
        : ticket.kind === 'oco'
          ? 'oco'
          : '',
  };
}

function gap(price: string, reference: string): string {
  const base = unitsOf(reference, COIN_SCALE);
  const at = unitsOf(price, COIN_SCALE);
  if (base === 0n || at === 0n) return '';
  return formatUnits(divide((at - base) * 10_000n, base, 'half_up'), 2);
}

const beyond = (percent: string, limit: bigint): boolean => {
  if (percent === '') return false;
  const units = toUnits(percent, 2);
  return (units < 0n ? -units : units) > limit * 100n;
};
