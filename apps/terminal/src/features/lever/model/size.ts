import { COIN_SCALE, openingCost, openingPrice, type Direction } from '@bourse/formulas';
import { divide, formatTrimmed, pow10, toUnits } from '@bourse/money';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { ticksOf, type OfferTerms } from './offer.js';

/** Units of the size of an order: contracts, the base, or the contract value in the quote. */
export const SIZE_UNITS = ['contracts', 'base', 'quote'] as const;
export type SizeUnit = (typeof SIZE_UNITS)[number];

/** A size as it was typed. */
export interface Size {
  readonly unit: Exclude<SizeUnit, 'contracts'>;
  readonly text: string;
}

/** The values that turn a size into contracts. */
export interface SizeTerms {
  readonly terms: Pick<OfferTerms, 'scales' | 'contractLots' | 'spread'>;
  readonly direction: Direction;
  /** Mark price, or the target of a limit order; the opening price follows from it. */
  readonly base: string;
}

/** Decimals that a size may have. */
export const sizeScale = (unit: Size['unit'], numberScale: number): number =>
  unit === 'base' ? numberScale : COIN_SCALE;

/** The most contracts that a ticket takes: fifteen digits. */
const CONTRACTS_MOST = 10n ** 15n - 1n;

const priceOf = ({ terms, direction, base }: SizeTerms): bigint => {
  const text = toDecimalText(base);
  return text === '' ? 0n : openingPrice(direction, ticksOf(text, terms.scales.priceScale), terms.spread);
};

/**
 * Whole contracts of a size, rounded down: never more of the base than was typed, and in the quote the most contracts
 * whose contract value, which is rounded up, is not above the typed amount. 0 without a price.
 */
export function contractsIn({ unit, text }: Size, by: SizeTerms): bigint {
  const { scales, contractLots } = by.terms;
  const amount = toUnits(toDecimalText(text) || '0', sizeScale(unit, scales.numberScale));
  const contracts = unit === 'base' ? amount / contractLots : contractsOfValue(amount, by);
  return contracts < CONTRACTS_MOST ? contracts : CONTRACTS_MOST;
}

function contractsOfValue(amount: bigint, by: SizeTerms): bigint {
  const { scales, contractLots } = by.terms;
  const perContract = priceOf(by) * contractLots * pow10(scales.quoteScale);
  return perContract <= 0n ? 0n : divide(amount * pow10(scales.priceScale + scales.numberScale), perContract, 'down');
}

/** The size of contracts in a unit: exact in the base, the contract value in the quote; empty without a price. */
export function sizeOf(contracts: bigint, unit: Size['unit'], by: SizeTerms): string {
  const { scales, contractLots } = by.terms;
  const lots = contracts * contractLots;
  if (unit === 'base') return formatTrimmed(lots, scales.numberScale);
  const price = priceOf(by);
  return price <= 0n ? '' : formatTrimmed(openingCost(scales, price, lots, 1n, 0n).contractValue, COIN_SCALE);
}
