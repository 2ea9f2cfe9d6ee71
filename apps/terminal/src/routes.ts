import type { ComponentType } from 'react';
import type { Area } from '@bourse/i18n';

export type Layout = 'public' | 'terminal' | 'account' | 'bare';
/** `open` anyone; `user` needs a token and leads to the sign-in without one. */
export type Guard = 'open' | 'user';
export interface RouteEntry {
  /** Address as the contract names it (api §5). Several addresses may show one screen: one line each. */
  readonly path: string;
  readonly layout: Layout;
  readonly guard: Guard;
  /** Code of the screen; its module exports the component as default. */
  readonly load: () => Promise<{ default: ComponentType }>;
  /** Text of the window title. */
  readonly title: string;
  /** Texts the screen needs besides `core`. */
  readonly areas: readonly Area[];
}

const spot = () => import('./features/spot/ui/spot-screen.js');
const entrust = () => import('./features/spot/ui/entrust-list.js');

const finance = () => import('./features/wallet/ui/finance.js');
const transferLog = () => import('./features/wallet/ui/transfer-log.js');
const walletScreen = (
  paths: readonly string[],
  load: RouteEntry['load'],
  title: string,
  more: readonly Area[] = [],
): RouteEntry[] =>
  paths.map((path) => ({ path, layout: 'account', guard: 'user', load, title, areas: ['wallet', 'server', ...more] }));
/** Asset addresses stand in the asset layout and alone. */
const asset = (...paths: string[]): string[] => paths.flatMap((path) => [path, `/new_account${path}`]);
/** Children of the account layout, and the same alone. */
const account = (...paths: string[]): string[] => paths.flatMap((path) => [path, `/account${path}`]);
const forget = () => import('./features/auth/ui/forget.js');
const identity = () => import('./features/account/ui/identity.js');
const accountCentre = () => import('./features/account/ui/account-centre.js');
const accountSettings = () => import('./features/account/ui/account-settings.js');
const bank = () => import('./features/account/ui/bank.js');
const region = () => import('./features/account/ui/region.js');
const messages = () => import('./features/account/ui/messages.js');
const fundPassword = () => import('./features/auth/ui/fund-password.js');

/** The one table of screens: the router, the guards, the menus (which show what stands here) and the tests walk it. */
export const ROUTES: readonly RouteEntry[] = [
  {
    path: '/',
    layout: 'public',
    guard: 'open',
    load: () => import('./features/home/ui/home.js'),
    title: 'title.home',
    areas: ['help'],
  },
  {
    path: '/allmarket',
    layout: 'public',
    guard: 'open',
    load: () => import('./features/markets/ui/markets.js'),
    title: 'nav.markets',
    areas: ['help'],
  },
  {
    path: '/components/login',
    layout: 'public',
    guard: 'open',
    load: () => import('./features/auth/ui/login.js'),
    title: 'nav.login',
    areas: ['account', 'server'],
  },
  {
    path: '/register',
    layout: 'public',
    guard: 'open',
    load: () => import('./features/auth/ui/register.js'),
    title: 'nav.register',
    areas: ['account', 'server'],
  },
  {
    path: '/forgetPwd',
    layout: 'public',
    guard: 'open',
    load: forget,
    title: 'title.forget',
    areas: ['account', 'server'],
  },
  {
    path: '/resetPwd',
    layout: 'public',
    guard: 'open',
    load: forget,
    title: 'title.forget',
    areas: ['account', 'server'],
  },
  {
    path: '/policy',
    layout: 'public',
    guard: 'open',
    load: () => import('./features/auth/ui/policy.js'),
    title: 'title.policy',
    areas: ['account'],
  },
  {
    path: '/bindmpwd',
    layout: 'public',
    guard: 'user',
    load: fundPassword,
    title: 'nav.fundPassword',
    areas: ['account', 'server'],
  },
  {
    path: '/setCash',
    layout: 'public',
    guard: 'user',
    load: fundPassword,
    title: 'nav.fundPassword',
    areas: ['account', 'server'],
  },
  {
    path: '/noticeList',
    layout: 'public',
    guard: 'open',
    load: () => import('./features/notices/ui/notice-list.js'),
    title: 'nav.notices',
    areas: ['help'],
  },
  {
    path: '/noticeDetail',
    layout: 'public',
    guard: 'open',
    load: () => import('./features/notices/ui/notice-detail.js'),
    title: 'nav.notices',
    areas: ['help'],
  },
  ...walletScreen(asset('/finance', '/dealFinance', '/legal', '/lever', '/micro'), finance, 'nav.assets'),
  ...walletScreen(
    asset('/dealAccount', '/legalAccount', '/microAccount'),
    () => import('./features/wallet/ui/account-detail.js'),
    'nav.assets',
  ),
  ...walletScreen(
    asset('/transfer', '/transferLegal', '/transferLever', '/transferMicro', '/transfermicro'),
    () => import('./features/wallet/ui/transfer-page.js'),
    'nav.transfer',
  ),
  ...walletScreen(account('/rechargeMoney'), () => import('./features/wallet/ui/deposit-page.js'), 'nav.deposit'),
  ...walletScreen(account('/recharge'), () => import('./features/wallet/ui/addresses.js'), 'wallet.allAddresses'),
  ...walletScreen(account('/chargeRecord'), () => import('./features/wallet/ui/charge-record.js'), 'wallet.claims'),
  ...walletScreen(account('/coinRecord'), () => import('./features/wallet/ui/coin-record.js'), 'nav.coinRecord'),
  ...walletScreen(
    ['/withdraw_address'],
    () => import('./features/wallet/ui/withdraw-address.js'),
    'nav.withdrawAddress',
    ['account'],
  ),
  ...walletScreen(['/finanrec'], () => import('./features/wallet/ui/statement.js'), 'nav.statement'),
  {
    path: '/solvency',
    layout: 'public',
    guard: 'open',
    load: () => import('./features/wallet/ui/solvency.js'),
    title: 'nav.solvency',
    areas: ['wallet', 'server'],
  },
  ...['/transferLog', '/account/transferLog'].map((path): RouteEntry => ({
    path,
    layout: 'account',
    guard: 'user',
    load: transferLog,
    title: 'nav.transferLog',
    areas: ['wallet'],
  })),
  {
    path: '/transferRecord',
    layout: 'account',
    guard: 'user',
    load: () => import('./features/wallet/ui/transfer-history.js'),
    title: 'title.transfers',
    areas: ['wallet'],
  },
  ...['/account', '/account/accountCenter', '/accountCenter'].map((path): RouteEntry => ({
    path,
    layout: 'account',
    guard: 'user',
    load: accountCentre,
    title: 'nav.accountCentre',
    areas: ['account'],
  })),
  ...['/account/accountSet', '/accountSet'].map((path): RouteEntry => ({
    path,
    layout: 'account',
    guard: 'user',
    load: accountSettings,
    title: 'nav.accountSet',
    areas: ['account', 'server'],
  })),
  ...['/authentication', '/account/authentication'].map((path): RouteEntry => ({
    path,
    layout: 'account',
    guard: 'user',
    load: identity,
    title: 'nav.identity',
    areas: ['account', 'server'],
  })),
  ...['/account/bankAuthentication', '/bankAuthentication'].map((path): RouteEntry => ({
    path,
    layout: 'account',
    guard: 'user',
    load: bank,
    title: 'nav.bank',
    areas: ['account', 'server'],
  })),
  {
    path: '/userSetting',
    layout: 'account',
    guard: 'user',
    load: () => import('./features/account/ui/payment-settings.js'),
    title: 'nav.payment',
    areas: ['account', 'server'],
  },
  ...['/account/region', '/region'].map((path): RouteEntry => ({
    path,
    layout: 'account',
    guard: 'user',
    load: region,
    title: 'nav.region',
    areas: ['account'],
  })),
  ...['/account/accountMessage', '/accountMessage', '/msgList', '/msgDetail'].map((path): RouteEntry => ({
    path,
    layout: 'account',
    guard: 'user',
    load: messages,
    title: 'nav.messages',
    areas: ['account'],
  })),
  {
    path: '/bindEmail',
    layout: 'public',
    guard: 'user',
    load: () => import('./features/account/ui/bind-email.js'),
    title: 'title.bindEmail',
    areas: ['account', 'server'],
  },
  {
    path: '/bindPhone',
    layout: 'public',
    guard: 'user',
    load: () => import('./features/account/ui/bind-phone.js'),
    title: 'title.bindPhone',
    areas: ['account', 'server'],
  },
  { path: '/dealCenter', layout: 'terminal', guard: 'open', load: spot, title: 'title.spot', areas: ['trade'] },
  {
    path: '/account/accountEntrust',
    layout: 'account',
    guard: 'user',
    load: entrust,
    title: 'title.entrust',
    areas: ['trade'],
  },
  {
    path: '/accountEntrust',
    layout: 'account',
    guard: 'user',
    load: entrust,
    title: 'title.entrust',
    areas: ['trade'],
  },
];

const PATHS = new Set(ROUTES.map((route) => route.path));
/** Whether a screen exists at this address: menus show nothing else. */
export const hasScreen = (address: string): boolean => PATHS.has(address.split('?')[0] ?? '');
/** Whether two addresses show one screen: menus mark their entry at its twins too. */
export function sameScreen(one: string, other: string): boolean {
  const screen = (path: string): RouteEntry['load'] | undefined => ROUTES.find((route) => route.path === path)?.load;
  return one === other || (screen(one) !== undefined && screen(one) === screen(other));
}
