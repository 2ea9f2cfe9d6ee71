import type { AccountAddresses, CoinBalance, Deposit, TypeData } from '@bourse/contract';
import { decimals, formatTrimmed, toUnits } from '@bourse/money';

/** Coins that come and go over a network. A coin without one (a house token) has no deposit and no withdrawal. */
export const hasNetwork = (info: { readonly type_data: readonly TypeData[] } | undefined): boolean =>
  (info?.type_data.length ?? 0) > 0;

/**
 * The coin an address of the page means: its id, or its name as `current`; USDT, else the first, when it names none.
 */
export function coinOfQuery(
  coins: readonly CoinBalance[],
  id: string | null,
  current: string | null,
): CoinBalance | undefined {
  return (
    coins.find((coin) => String(coin.currency) === id) ??
    coins.find((coin) => coin.currency_name === current || String(coin.currency) === current) ??
    coins.find((coin) => coin.currency_name === 'USDT') ??
    coins[0]
  );
}

/** Blocks of the picture: how many of the needed confirmations are there. */
export function progressOf({ confirmations, needed, state }: Pick<Deposit, 'confirmations' | 'needed' | 'state'>): {
  readonly filled: number;
  readonly of: number;
} {
  const of = Math.max(1, needed);
  return { filled: state === 'seen' ? Math.min(Math.max(confirmations, 0), of) : of, of };
}

/**
 * The amount that is missing until the held deposits of a coin reach its minimum; `0` when none is (rules 8.3: all of
 * them are credited together).
 */
export function missingToMinimum(
  deposits: readonly Pick<Deposit, 'currency' | 'state' | 'amount'>[],
  currency: number,
  minimum: string,
): { readonly held: string; readonly missing: string } {
  const held = deposits
    .filter((deposit) => deposit.currency === currency && deposit.state === 'held')
    .map(({ amount }) => amount);
  const scale = Math.max(decimals(minimum), ...held.map(decimals));
  const sum = held.reduce((all, amount) => all + toUnits(amount, scale), 0n);
  const missing = toUnits(minimum, scale) - sum;
  return { held: formatTrimmed(sum, scale), missing: formatTrimmed(missing > 0n ? missing : 0n, scale) };
}

/** Whether deposits are on their way, so that the list is worth asking again soon. */
export const arriving = (rows: readonly Pick<Deposit, 'state'>[]): boolean =>
  rows.some(({ state }) => state === 'seen');

/** Addresses of a coin with the names of their networks; empty ones are left out. */
export function namedAddresses({
  addressErc,
  ercName,
  addressTrc,
  trcName,
}: AccountAddresses): { readonly name: string; readonly address: string }[] {
  return [
    { name: ercName, address: addressErc },
    { name: trcName, address: addressTrc },
  ].filter(({ address }) => address !== '');
}
