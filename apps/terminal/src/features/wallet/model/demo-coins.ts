import { COIN_SCALE } from '@bourse/formulas';
import { divide, formatTrimmed, pow10, toUnits } from '@bourse/money';

/** Worth of the coins that a press on a demo install brings. USDT. */
const WORTH = 10_000n;
/** The amount of a coin that has no price. */
const WITHOUT_PRICE = '100';
/** Digits that are kept: a person recognises the amount. */
const DIGITS = 2;

/** Coins worth about 10,000 USDT, cut to two digits. @param usdtPrice decimal text; 0: no price is known */
export function demoAmount(usdtPrice: string): string {
  const price = toUnits(usdtPrice, COIN_SCALE);
  if (price === 0n) return WITHOUT_PRICE;
  const digits = String(divide(WORTH * pow10(2 * COIN_SCALE), price, 'down'));
  return formatTrimmed(BigInt(digits.slice(0, DIGITS).padEnd(digits.length, '0')), COIN_SCALE);
}
