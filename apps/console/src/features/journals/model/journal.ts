import { decimals, formatUnits, toUnits } from '@bourse/money';
import type { Leg } from '../../../core/journal.js';

/** The legs of a journal in one currency, with their sum, which must be zero (rules §1). */
export interface CurrencyLegs {
  readonly currency: string;
  readonly legs: readonly Leg[];
  /** Decimal text with the decimals of the legs. */
  readonly sum: string;
  readonly isEven: boolean;
}

/** Legs by currency, each with its exact sum, in the order in which the journal names them. */
export function byCurrency(legs: readonly Leg[]): readonly CurrencyLegs[] {
  const currencies = [...new Set(legs.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const own = legs.filter((leg) => leg.currency === currency);
    const scale = Math.max(...own.map(({ amount }) => decimals(amount)));
    const units = own.reduce((sum, { amount }) => sum + toUnits(amount, scale), 0n);
    return { currency, legs: own, sum: formatUnits(units, scale), isEven: units === 0n };
  });
}

const PERSON = /^\d+$/;
/** Whether a leg is a person's; the others are the house's. */
export const isPersons = ({ owner }: Leg): boolean => PERSON.test(owner);

/** People whose balances a journal changed, each once. */
export const peopleIn = (legs: readonly Leg[]): readonly string[] => [
  ...new Set(legs.filter(isPersons).map(({ owner }) => owner)),
];

/** All legs in one line, for a file. */
export const legsText = (legs: readonly Leg[]): string =>
  legs
    .map(({ owner, account, state, currency, amount }) => `${owner} ${account} ${state} ${amount} ${currency}`)
    .join('; ');
