import type { Product } from './accounts.js';

/**
 * One side of a leg, as text: `100001.change` (available), `100001.change*#order:42` (held, under the hold named after
 * `#`), `h.fees` (house), `h.micro*#micro:7` (a house reserve).
 */
export type LegAccountText = string;
export interface ParsedLegAccount {
  readonly owner: number | 'house';
  readonly account: string;
  readonly held: boolean;
  readonly hold: string | null;
}

export const available = (user: number, product: Product): LegAccountText => `${user}.${product}`;
export const held = (user: number, product: Product, hold: string): LegAccountText => `${user}.${product}*#${hold}`;
/** The hold of a spot order. Derived ids have a name space of their own: a hold is named by its cause. */
export const orderHold = (orderId: string): string => `order:${orderId}`;

/** @throws RangeError on text that names no account: only our own code writes it. */
export function parseLegAccount(text: LegAccountText): ParsedLegAccount {
  const match = LEG_ACCOUNT.exec(text);
  if (!match) throw new RangeError(`not an account: ${text}`);
  const house = match[1] === 'h';
  return {
    owner: house ? 'house' : Number(match[1]),
    account: house ? `h.${match[2] ?? ''}` : (match[2] ?? ''),
    held: match[3] !== undefined,
    hold: match[4] ?? null,
  };
}
const LEG_ACCOUNT = /^(h|\d{1,16})\.([a-z_]+)(\*)?(?:#([A-Za-z0-9:/_.-]{1,100}))?$/;
