import type { ComponentType } from 'react';
import { SCREEN_PLACES, type Place, type ScreenName } from './paths.js';

/** Code of a screen; its module exports the component as default. */
type Load = () => Promise<{ default: ComponentType }>;

/** The one table of screens; `paths.ts` has the address and the roles of each. */
const LOADS: Readonly<Partial<Record<ScreenName, Load>>> = {
  dashboard: () => import('./features/dashboard/dashboard.js'),
  search: () => import('./features/search/search.js'),
  approvals: () => import('./features/approvals/approvals.js'),

  breakers: () => import('./features/breakers/breakers.js'),
  settings: () => import('./features/settings/settings.js'),
  catalog: () => import('./features/catalog/catalog.js'),
  catalogRows: () => import('./features/catalog/catalog.js'),
  operators: () => import('./features/operators/operators.js'),
  audit: () => import('./features/audit/audit.js'),
  account: () => import('./features/account/account.js'),
  users: () => import('./features/users/ui/users.js'),
  user: () => import('./features/users/ui/person.js'),
  kyc: () => import('./features/kyc/ui/kyc.js'),
  kycCase: () => import('./features/kyc/ui/kyc-case.js'),
  complaints: () => import('./features/complaints/ui/complaints.js'),
  complaint: () => import('./features/complaints/ui/complaint.js'),
  shops: () => import('./features/shops/ui/shops.js'),
  ads: () => import('./features/c2c/ui/ads.js'),
  deals: () => import('./features/c2c/ui/deals.js'),
  appeals: () => import('./features/appeals/ui/appeals.js'),
  appeal: () => import('./features/appeals/ui/appeal.js'),
  acceptors: () => import('./features/acceptors/ui/acceptors.js'),
  acceptorDeals: () => import('./features/acceptors/ui/acceptor-deals.js'),
  news: () => import('./features/news/ui/news-list.js'),
  newsItem: () => import('./features/news/ui/news-editor.js'),
  deposits: () => import('./features/deposits/ui/deposits.js'),
  depositClaims: () => import('./features/deposits/ui/deposit-claims.js'),
  withdrawals: () => import('./features/withdrawals/ui/withdrawals.js'),
  adjustments: () => import('./features/adjustments/ui/adjustments.js'),
  journals: () => import('./features/journals/ui/journals.js'),
  house: () => import('./features/house/ui/house.js'),
  reconciliation: () => import('./features/reconciliation/ui/reconciliation.js'),
  exports: () => import('./features/exports/ui/exports.js'),
  orders: () => import('./features/orders/ui/orders.js'),
  savings: () => import('./features/savings/ui/savings.js'),
  insuranceClaims: () => import('./features/insurance/ui/insurance-claims.js'),
  notices: () => import('./features/notices/ui/notices.js'),
};

export interface Route extends Place {
  readonly name: ScreenName;
  readonly load: Load;
}

/** The screens that are there, in the order of `paths.ts`. */
export const ROUTES: readonly Route[] = (Object.entries(SCREEN_PLACES) as [ScreenName, Place][]).flatMap(
  ([name, place]) => {
    const load = LOADS[name];
    return load === undefined ? [] : [{ ...place, name, load }];
  },
);

/** Whether a screen exists; links to it are drawn only then. */
export const hasScreen = (name: ScreenName): boolean => LOADS[name] !== undefined;
