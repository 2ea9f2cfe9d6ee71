import type { ScreenName } from '../paths.js';

/** The list of each kind of waiting work. Other kinds are shown without a link. */
export const WORK_SCREENS: Readonly<Record<string, ScreenName>> = {
  kyc: 'kyc',
  withdrawals: 'withdrawals',
  deposits_held: 'deposits',
  charge_reqs: 'depositClaims',
  adjustments: 'adjustments',
  house_fundings: 'house',
  approvals: 'approvals',
  approvals_held: 'approvals',
  shops: 'shops',
  acceptor_deals: 'acceptorDeals',
  appeals: 'appeals',
  appeals_overdue: 'appeals',
  complaints: 'complaints',
  frozen: 'users',
};

/** Lists without a count: they are counted elsewhere, or have no waiting work. */
const ASIDE: readonly string[] = ['appeals_overdue', 'frozen'];

/** The query that narrows a list to the waiting work of a name. */
export const WORK_FILTERS: Readonly<Record<string, string>> = {
  withdrawals: '?state=review',
  deposits_held: '?state=held',
  charge_reqs: '?status=1',
  adjustments: '?state=waiting',
  approvals: '?state=waiting',
  approvals_held: '?state=approved',
  shops: '?status=0',
  acceptor_deals: '?objected=1',
  frozen: '?role=frozen',
};

/** How much waits in each list, of open work by name. */
export function workByScreen(work: Readonly<Record<string, number>>): ReadonlyMap<ScreenName, number> {
  const counts = new Map<ScreenName, number>();
  for (const [name, count] of Object.entries(work)) {
    const screen = ASIDE.includes(name) ? undefined : WORK_SCREENS[name];
    if (screen !== undefined) counts.set(screen, (counts.get(screen) ?? 0) + count);
  }
  return counts;
}
