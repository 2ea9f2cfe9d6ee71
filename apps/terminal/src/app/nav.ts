import type { UserInfo } from '@bourse/contract';
import { hasScreen } from '../routes.js';

export interface NavLinkEntry {
  readonly path: string;
  readonly text: string;
  readonly guard?: 'user';
  /** Only for people with this role. */ readonly role?: 'region';
}

/** Links of the header, in order. Only those whose screens exist are shown. */
export const MAIN_LINKS: readonly NavLinkEntry[] = [
  { path: '/allmarket', text: 'nav.markets' },
  { path: '/dealCenter', text: 'nav.spot' },
  { path: '/leverdealCenter', text: 'nav.leverage' },
  { path: '/secondsOrder', text: 'nav.micro' },
  { path: '/c2cTrade', text: 'nav.c2c', guard: 'user' },
  { path: '/legalTrade', text: 'nav.fiat' },
  { path: '/manage', text: 'nav.savings' },
  { path: '/finance', text: 'nav.assets', guard: 'user' },
];
/** The account menu of the header. */
export const USER_LINKS: readonly NavLinkEntry[] = [
  { path: '/account/accountCenter', text: 'nav.accountCentre' },
  { path: '/finance', text: 'nav.assets' },
  { path: '/account/accountEntrust', text: 'nav.entrust' },
  { path: '/account/accountSet', text: 'nav.accountSet' },
  { path: '/rechargeMoney', text: 'nav.deposit' },
  { path: '/finanrec', text: 'nav.statement' },
  { path: '/solvency', text: 'nav.solvency' },
  { path: '/transferLog', text: 'nav.transferLog' },
  { path: '/authentication', text: 'nav.identity' },
  { path: '/userSetting', text: 'nav.payment' },
  { path: '/account/accountMessage', text: 'nav.messages' },
  { path: '/account/region', text: 'nav.region', role: 'region' },
];
/** The menu beside account pages. */
export const ACCOUNT_LINKS: readonly NavLinkEntry[] = [
  { path: '/account/accountCenter', text: 'nav.accountCentre' },
  { path: '/finance', text: 'nav.assets' },
  { path: '/account/rechargeMoney', text: 'nav.deposit' },
  { path: '/account/coinRecord', text: 'nav.coinRecord' },
  { path: '/withdraw_address', text: 'nav.withdrawAddress' },
  { path: '/transfer', text: 'nav.transfer' },
  { path: '/finanrec', text: 'nav.statement' },
  { path: '/account/transferLog', text: 'nav.transferLog' },
  { path: '/solvency', text: 'nav.solvency' },
  { path: '/account/accountEntrust', text: 'nav.entrust' },
  { path: '/account/accountSet', text: 'nav.accountSet' },
  { path: '/account/authentication', text: 'nav.identity' },
  { path: '/account/bankAuthentication', text: 'nav.bank' },
  { path: '/userSetting', text: 'nav.payment' },
  { path: '/bindmpwd', text: 'nav.fundPassword' },
  { path: '/account/accountMessage', text: 'nav.messages' },
  { path: '/account/region', text: 'nav.region', role: 'region' },
];
/** Bottom navigation of phones. */
export const PHONE_LINKS: readonly NavLinkEntry[] = [
  { path: '/', text: 'nav.home' },
  { path: '/allmarket', text: 'nav.markets' },
  { path: '/dealCenter', text: 'nav.trade' },
  { path: '/c2cTrade', text: 'nav.c2c' },
  { path: '/finance', text: 'nav.assets' },
];

/** Links whose screens exist and whose role the person has. */
export const shown = (links: readonly NavLinkEntry[], info?: Pick<UserInfo, 'is_region'>): NavLinkEntry[] =>
  links.filter((link) => hasScreen(link.path) && (link.role === undefined || info?.is_region === 1));
