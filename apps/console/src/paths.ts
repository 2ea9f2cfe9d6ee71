import type { Role } from './core/operator.js';

export interface Place {
  /** Inside the console; `:name` is a part of the address that names the thing. */
  readonly path: string;
  /** The lowest role that its calls ask for (api §2.12). */
  readonly role: Role;
  /** Key of its name. */
  readonly label: string;
  /** The group of the sidebar; a screen without one is reached from a list. */
  readonly group?: Group;
}

/** Groups of the sidebar, in its order. */
export const GROUPS = ['overview', 'people', 'trade', 'money', 'house', 'publish', 'system'] as const;
export type Group = (typeof GROUPS)[number];

const at = (path: string, role: Role, label: string, group?: Group): Place => ({
  path,
  role,
  label,
  ...(group === undefined ? {} : { group }),
});

/**
 * Every screen with its address, apart from the code that draws it (`routes.ts`): menus and links ask here, and the
 * build writes the list that the gateway answers with 200. A screen that `routes.ts` lacks is linked nowhere.
 */
const PLACES = {
  dashboard: at('/', 'support', 'place.dashboard', 'overview'),
  search: at('/search', 'support', 'place.search'),
  approvals: at('/approvals', 'support', 'place.approvals', 'overview'),

  users: at('/users', 'support', 'place.users', 'people'),
  user: at('/users/:id', 'support', 'place.user'),
  kyc: at('/kyc', 'support', 'place.kyc', 'people'),
  kycCase: at('/kyc/:id', 'support', 'place.kyc'),
  complaints: at('/complaints', 'support', 'place.complaints', 'people'),
  complaint: at('/complaints/:id', 'support', 'place.complaint'),

  shops: at('/shops', 'support', 'place.shops', 'trade'),
  ads: at('/ads', 'support', 'place.ads', 'trade'),
  deals: at('/deals', 'support', 'place.deals', 'trade'),
  appeals: at('/appeals', 'support', 'place.appeals', 'trade'),
  appeal: at('/appeals/:id', 'support', 'place.appeal'),
  acceptors: at('/acceptors', 'finance', 'place.acceptors', 'trade'),
  acceptorDeals: at('/acceptor-deals', 'finance', 'place.acceptorDeals', 'trade'),
  orders: at('/orders', 'support', 'place.orders', 'trade'),
  insuranceClaims: at('/claims', 'support', 'place.insuranceClaims', 'trade'),
  savings: at('/savings', 'support', 'place.savings', 'trade'),

  deposits: at('/deposits', 'finance', 'place.deposits', 'money'),
  depositClaims: at('/deposit-claims', 'finance', 'place.depositClaims', 'money'),
  withdrawals: at('/withdrawals', 'finance', 'place.withdrawals', 'money'),
  adjustments: at('/adjustments', 'finance', 'place.adjustments', 'money'),

  journals: at('/journals', 'finance', 'place.journals', 'house'),
  house: at('/house', 'finance', 'place.house', 'house'),
  reconciliation: at('/reconciliation', 'support', 'place.reconciliation', 'house'),
  exports: at('/exports', 'finance', 'place.exports', 'house'),

  news: at('/news', 'support', 'place.news', 'publish'),
  newsItem: at('/news/:id', 'support', 'place.news'),
  notices: at('/notices', 'support', 'place.notices', 'publish'),

  breakers: at('/breakers', 'support', 'place.breakers', 'system'),
  settings: at('/settings', 'admin', 'place.settings', 'system'),
  catalog: at('/catalog', 'admin', 'place.catalog', 'system'),
  catalogRows: at('/catalog/:name', 'admin', 'place.catalog'),
  operators: at('/operators', 'admin', 'place.operators', 'system'),
  audit: at('/audit', 'finance', 'place.audit', 'system'),
  account: at('/account', 'support', 'place.account'),
} satisfies Record<string, Place>;

export type ScreenName = keyof typeof PLACES;
export const SCREEN_PLACES: Readonly<Record<ScreenName, Place>> = PLACES;

/** All addresses, for the gateway. */
export const ADDRESSES: readonly string[] = Object.values<Place>(PLACES).map(({ path }) => path);

/** Address of a screen; `id` takes the place of the parameter in its path. */
export const addressOf = (name: ScreenName, id?: string | number): string =>
  SCREEN_PLACES[name].path.replace(/:\w+/, encodeURIComponent(String(id ?? '')));
