import { toFlag, type MessageOf, type RowOf } from '@bourse/contract';

export const FREEZE_SCOPES = ['none', 'trade', 'c2c', 'withdraw', 'all'] as const;
export type FreezeScope = (typeof FREEZE_SCOPES)[number];
const RESETS = ['sessions', 'totp', 'fund'] as const;
export type Reset = (typeof RESETS)[number];

/** A person in the operators' list (api §2.12). */
export type PersonRow = RowOf<'GET /api/admin/users'>;
export type PersonFile = MessageOf<'GET /api/admin/users/{id}'>;
export type Balance = PersonFile['balances'][number];

/** Message keys of the roles of a person; none without a special role. */
export function rolesOf(person: Pick<PersonRow, 'is_seller' | 'is_acceptor' | 'is_region' | 'type'>): string[] {
  return [
    ...(person.is_seller ? ['console.users.seller'] : []),
    ...(person.is_acceptor ? ['console.users.acceptor'] : []),
    ...(person.is_region ? ['console.users.agent'] : []),
    ...(person.type === 1 ? ['console.users.points'] : []),
  ];
}

/** The display name of a person: the certified name, before that the sign-in name. */
export const titleOf = ({ name, email, phone, account_number: account }: PersonRow): string =>
  [name, email, phone, account].find((text) => text !== '') ?? '';

const isNothing = (decimal: string): boolean => !/[1-9]/.test(decimal);

/** The balances that are not zero, grouped by account, the coins of an account by their id. */
export const heldBalances = (balances: readonly Balance[]): Balance[] =>
  balances
    .filter(({ balance, lock_balance: held }) => !isNothing(balance) || !isNothing(held))
    .toSorted((one, other) => one.account.localeCompare(other.account) || one.currency - other.currency);

/** The factors that an operator may still remove: an enabled authenticator, a set fund password. */
export const resetsOf = ({ totp, has_fund_password: fund }: Pick<PersonRow, 'totp' | 'has_fund_password'>): Reset[] =>
  RESETS.filter((what) => what === 'sessions' || (what === 'totp' ? totp === 1 : fund === 1));

/** Fields of a change of roles: only the changed ones are sent, so that a concurrent change is not overwritten. */
export function roleChange(
  before: Pick<PersonRow, 'is_seller' | 'is_acceptor' | 'region' | 'type'>,
  after: {
    readonly isSeller: boolean;
    readonly isAcceptor: boolean;
    readonly region: string;
    readonly inPoints: boolean;
  },
): Record<string, string | number> {
  const region = after.region.trim();
  return {
    ...(toFlag(after.isSeller) === before.is_seller ? {} : { is_seller: toFlag(after.isSeller) }),
    ...(toFlag(after.isAcceptor) === before.is_acceptor ? {} : { is_acceptor: toFlag(after.isAcceptor) }),
    ...(region === before.region ? {} : { region }),
    ...(toFlag(after.inPoints) === before.type ? {} : { type: toFlag(after.inPoints) }),
  };
}
