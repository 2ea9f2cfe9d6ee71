import fc from 'fast-check';

/**
 * Decimal text with at most `scale` decimals, as a client may send it: no sign, no exponent, no needless zeros before
 * the point.
 */
export function decimalText({
  scale = 8,
  integerDigits = 12,
}: { readonly scale?: number; readonly integerDigits?: number } = {}): fc.Arbitrary<string> {
  const integer = fc.bigInt({ min: 0n, max: 10n ** BigInt(integerDigits) - 1n }).map(String);
  const fraction = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: scale });
  return scale === 0
    ? integer
    : fc
        .tuple(integer, fc.option(fraction, { nil: undefined }))
        .map(([whole, part]) => (part === undefined ? whole : `${whole}.${part}`));
}

/** Ids of users, few enough that repeats happen. */
export const userIds = (): fc.Arbitrary<number> => fc.integer({ min: 100_001, max: 100_020 });
