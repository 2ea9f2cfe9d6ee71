import { hasScreen } from '../routes.js';

export interface NavLinkEntry { readonly path: string; readonly text: string; readonly guard?: 'user' }

/** Links of the header, in order. Only those whose screens exist are shown. */
export const MAIN_LINKS: readonly NavLinkEntry[] = [
  { path: '/allmarket', text: 'nav.markets' }, { path: '/dealCenter', text: 'nav.spot' }, { path: '/leverdealCenter', text: 'nav.leverage' }, { path: '/secondsOrder', text: 'nav.micro' },
  { path: '/c2cTrade', text: 'nav.c2c', guard: 'user' }, { path: '/legalTrade', text: 'nav.fiat' }, { path: '/manage', text: 'nav.savings' }, { path: '/finance', text: 'nav.assets', guard: 'user' },
];
/** The account menu of the header. */
export const USER_LINKS: readonly NavLinkEntry[] = [
  { path: '/finance', text: 'nav.assets' }, { path: '/account/accountEntrust', text: 'nav.entrust' }, { path: '/account/accountSet', text: 'nav.accountSet' },
  { path: '/transferLog', text: 'nav.transferLog' }, { path: '/authentication', text: 'nav.identity' },
];
/** The menu beside account pages. */
export const ACCOUNT_LINKS: readonly NavLinkEntry[] = [
  { path: '/finance', text: 'nav.assets' }, { path: '/account/accountEntrust', text: 'nav.entrust' }, { path: '/account/accountSet', text: 'nav.accountSet' },
  { path: '/account/transferLog', text: 'nav.transferLog' }, { path: '/account/authentication', text: 'nav.identity' }, { path: '/bindmpwd', text: 'nav.fundPassword' },
];
/** Bottom navigation of phones. */
export const PHONE_LINKS: readonly NavLinkEntry[] = [
  { path: '/', text: 'nav.home' }, { path: '/allmarket', text: 'nav.markets' }, { path: '/dealCenter', text: 'nav.trade' }, { path: '/c2cTrade', text: 'nav.c2c' }, { path: '/finance', text: 'nav.assets' },
];

export const shown = (links: readonly NavLinkEntry[]): NavLinkEntry[] => links.filter((link) => hasScreen(link.path));
