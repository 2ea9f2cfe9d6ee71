import type { NavLinkEntry } from './nav.js';

/** The account menu of the header: the pages that are opened often. The search and the side menu have all. */
export const USER_LINKS: readonly NavLinkEntry[] = [
  { path: '/account/accountCenter', text: 'nav.accountCentre' },
  { path: '/finance', text: 'nav.assets' },
  { path: '/account/accountEntrust', text: 'nav.entrust' },
  { path: '/c2cOrder', text: 'nav.c2cOrders' },
  { path: '/account/transferLog', text: 'nav.transferLog' },
  { path: '/account/accountSet', text: 'nav.accountSet' },
  { path: '/account/authentication', text: 'nav.identity' },
  { path: '/preferences', text: 'nav.preferences' },
  { path: '/account/integralExchange', text: 'nav.points', when: 'pointsMember' },
  { path: '/myLegalShops', text: 'nav.shop', when: 'seller' },
];
