import type { Shop } from '@bourse/contract';
import { compareDecimals } from '@bourse/money';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { passwordProblem } from '../../../deals/model/ad.js';
import type { Problems } from '../../../forms/problems.js';

export const LEVELS = ['verified', 'advanced'] as const satisfies readonly Shop['level'][];
/** The coin of all deposits, whatever a shop deals in (rules §6). */
export const DEPOSIT_COIN = 'USDT';
/** Characters of a shop's name (api §2.7). */
const NAME_LENGTH = { min: 2, max: 30 } as const;
export const NAME_MAX = NAME_LENGTH.max;

/** Faults of an application for a shop. */
export function applyProblems({
  name,
  password,
}: {
  readonly name: string;
  readonly password: string;
}): Problems<'name' | 'password'> {
  const length = [...name.trim()].length;
  const fits = length >= NAME_LENGTH.min && length <= NAME_LENGTH.max;
  return { ...(!fits && { name: 'shops.nameRule' }), ...passwordProblem(password) };
}

/** Faults of a move between the fiat account and a merchant balance; `most` undefined: not known yet. */
export function moveProblems(
  { number, password }: { readonly number: string; readonly password: string },
  most: string | undefined,
): Problems<'number' | 'password'> {
  const typed = toDecimalText(number);
  const problem = !/[1-9]/.test(typed)
    ? 'shops.amountRequired'
    : most !== undefined && compareDecimals(typed, most) > 0
      ? 'shops.balance'
      : undefined;
  return { ...(problem && { number: problem }), ...passwordProblem(password) };
}

/** Coins of which the person has no shop yet: one a coin (rules §6). One that was refused or closed may be asked for again. */
export const freeCoins = <C extends { readonly id: number }>(
  coins: readonly C[],
  shops: readonly Pick<Shop, 'currency_id' | 'status'>[],
): readonly C[] => coins.filter(({ id }) => !shops.some((shop) => shop.currency_id === id && shop.status < 2));

/** The shop that is shown before one is chosen: the newest that is open, else the newest of all. */
export const firstShown = <S extends Pick<Shop, 'status'>>(shops: readonly S[]): S | undefined =>
  shops.find(({ status }) => status === 1) ?? shops[0];
