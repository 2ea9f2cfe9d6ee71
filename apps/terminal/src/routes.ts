import type { ComponentType } from 'react';
import type { Area } from '@bourse/i18n';
import { SCREEN_PLACES, type Guard, type ScreenName } from './paths.js';

/** `member` is `account` for signed-in people and `site` for guests. */
export type Layout = 'public' | 'site' | 'terminal' | 'account' | 'member' | 'bare';
/** How a screen is drawn; `paths.ts` has its address and its visitors. */
interface ScreenEntry {
  readonly layout: Layout;
  /** Code of the screen; its module exports the component as default. */
  readonly load: () => Promise<{ default: ComponentType }>;
  /** Text of the window title. */
  readonly title: string;
  /** Texts the screen needs besides `core`. */
  readonly areas: readonly Area[];
}
export interface RouteEntry extends ScreenEntry {
  readonly path: string;
  readonly guard: Guard;
}

type Load = ScreenEntry['load'];
const screen =
  (layout: Layout, ...areas: Area[]) =>
  (title: string, load: Load, ...more: Area[]): ScreenEntry => ({ layout, load, title, areas: [...areas, ...more] });
const page = screen('site', 'help');
const reading = screen('site', 'help', 'pages');
const form = screen('public', 'account', 'server');
const wallet = screen('account', 'wallet', 'server');
const account = screen('account', 'account', 'server');
const deals = screen('public', 'deals', 'chat', 'server');
const lever = screen('account', 'trade', 'lever');

/** The one table of screens: the router, the guards and the tests walk it. */
const SCREENS: Readonly<Record<ScreenName, ScreenEntry>> = {
  home: page('title.home', () => import('./features/home/ui/home.js')),
  markets: screen('site', 'markets')('nav.markets', () => import('./features/markets/ui/markets.js')),
  notices: reading('nav.notices', () => import('./features/notices/ui/notice-list.js')),
  notice: reading('nav.notices', () => import('./features/notices/ui/notice-detail.js')),
  spot: screen('terminal', 'trade')('title.spot', () => import('./features/spot/ui/spot-screen.js')),
  practice: screen(
    'terminal',
    'trade',
    'desk',
    'practice',
    'server',
  )('nav.practice', () => import('./features/spot/ui/practice/practice-screen.js')),
  micro: screen('terminal', 'trade', 'micro')('nav.micro', () => import('./features/micro/ui/micro-screen.js')),
  microReceipt: screen(
    'public',
    'trade',
    'micro',
  )('micro.receipt', () => import('./features/micro/ui/receipt-page.js')),
  insurance: screen(
    'account',
    'trade',
    'micro',
    'server',
  )('nav.insurance', () => import('./features/micro/ui/insurance-page.js')),
  fairness: screen('member', 'micro')('nav.fairness', () => import('./features/micro/ui/fairness-page.js')),
  lever: screen('terminal', 'trade', 'lever')('nav.leverage', () => import('./features/lever/ui/lever-screen.js')),
  leverTransactions: lever('lever.positions', () => import('./features/lever/ui/lever-transactions.js')),
  leverList: lever('nav.leverList', () => import('./features/lever/ui/lever-list.js')),
  leverPositions: lever('nav.allPositions', () => import('./features/lever/ui/all-positions.js')),
  leverRecord: lever('lever.record', () => import('./features/lever/ui/lever-record.js')),
  running: lever('nav.running', () => import('./features/lever/ui/running.js')),
  entrusts: screen('account', 'trade', 'desk')('title.entrust', () => import('./features/spot/ui/entrust-list.js')),
  login: form('nav.login', () => import('./features/auth/ui/login.js')),
  register: form('nav.register', () => import('./features/auth/ui/register.js')),
  forget: form('title.forget', () => import('./features/auth/ui/forget.js')),
  policy: screen('site', 'policy')('title.policy', () => import('./features/auth/ui/policy.js')),
  fundPassword: account('nav.fundPassword', () => import('./features/auth/ui/fund-password.js')),
  bindEmail: form('title.bindEmail', () => import('./features/account/ui/bind-email.js')),
  bindPhone: form('title.bindPhone', () => import('./features/account/ui/bind-phone.js')),
  finance: wallet('nav.assets', () => import('./features/wallet/ui/finance.js')),
  accountDetail: wallet('nav.assets', () => import('./features/wallet/ui/account-detail.js')),
  transfer: wallet('nav.transfer', () => import('./features/wallet/ui/transfer-page.js')),
  transferLog: screen('account', 'wallet')('nav.transferLog', () => import('./features/wallet/ui/transfer-log.js')),
  transfers: screen('account', 'wallet')('title.transfers', () => import('./features/wallet/ui/transfer-history.js')),
  deposit: wallet('nav.deposit', () => import('./features/wallet/ui/deposit-page.js')),
  withdraw: wallet('nav.withdraw', () => import('./features/wallet/ui/withdraw-page.js')),
  depositAddresses: wallet('wallet.allAddresses', () => import('./features/wallet/ui/addresses.js')),
  claims: wallet('wallet.claims', () => import('./features/wallet/ui/charge-record.js')),
  coinRecord: wallet('nav.coinRecord', () => import('./features/wallet/ui/coin-record.js')),
  withdrawAddresses: wallet('nav.withdrawAddress', () => import('./features/wallet/ui/withdraw-address.js'), 'account'),
  statement: wallet('nav.statement', () => import('./features/wallet/ui/statement.js')),
  solvency: screen('member', 'wallet', 'server')('nav.solvency', () => import('./features/wallet/ui/solvency.js')),
  status: reading('state.title', () => import('./features/status/ui/status-page.js')),
  accountCentre: account('nav.accountCentre', () => import('./features/account/ui/account-centre.js'), 'security'),
  accountSettings: account('nav.accountSet', () => import('./features/account/ui/account-settings.js'), 'security'),
  firstSteps: account('nav.firstSteps', () => import('./features/account/ui/first-steps.js')),
  preferences: screen(
    'member',
    'account',
    'prefs',
  )('nav.preferences', () => import('./features/account/ui/preferences.js')),
  feeLevel: account('nav.fees', () => import('./features/account/ui/fee-level.js')),
  identity: account('nav.identity', () => import('./features/account/ui/identity.js')),
  bank: account('nav.bank', () => import('./features/account/ui/bank.js')),
  payment: account('nav.payment', () => import('./features/account/ui/payment-settings.js')),
  region: screen('account', 'account')('nav.region', () => import('./features/account/ui/region.js')),
  acceptors: screen(
    'account',
    'acc',
    'wallet',
    'account',
    'server',
  )('nav.acceptors', () => import('./features/acceptors/ui/acceptors.js')),
  messages: screen('account', 'pages')('nav.messages', () => import('./features/notices/ui/message-list.js')),
  message: screen('account', 'pages')('nav.messages', () => import('./features/notices/ui/message-detail.js')),
  help: reading('nav.help', () => import('./features/notices/ui/help.js')),
  complaints: screen(
    'account',
    'complaints',
    'pages',
    'server',
  )('nav.complaints', () => import('./features/complaints/ui/complaints.js')),
  legalTrade: deals('nav.fiat', () => import('./features/shops/ui/legal-trade.js'), 'shops'),
  myShops: screen(
    'account',
    'deals',
    'chat',
    'server',
    'shops',
  )('nav.shop', () => import('./features/shops/ui/my-shops.js')),
  c2cTrade: deals('deals.market', () => import('./features/deals/ui/trade.js')),
  c2cRelease: deals('deals.release', () => import('./features/deals/ui/release.js')),
  c2cOrder: deals('deals.orders', () => import('./features/deals/ui/orders.js')),
  c2cDetail: deals('deals.deal', () => import('./features/deals/ui/detail.js')),
  c2cRecord: deals('deals.records', () => import('./features/deals/ui/record.js')),
  savings: screen(
    'public',
    'savings',
    'wallet',
    'server',
  )('nav.savings', () => import('./features/savings/ui/subscribe.js')),
  savingsOrders: screen(
    'account',
    'savings',
    'wallet',
    'server',
  )('nav.savingsOrders', () => import('./features/savings/ui/orders.js')),
  points: screen('account', 'points', 'server')('nav.points', () => import('./features/points/ui/points-exchange.js')),
  pointsAlone: screen(
    'bare',
    'points',
    'account',
    'server',
  )('nav.points', () => import('./features/points/ui/points-page.js')),
  bindPoints: form('points.bindTitle', () => import('./features/points/ui/bind-info.js'), 'points'),
  team: screen('account', 'team', 'server')('nav.team', () => import('./features/team/ui/team.js')),
  profit: screen('account', 'team')('nav.profit', () => import('./features/team/ui/profit.js')),
  convert: screen(
    'account',
    'convert',
    'wallet',
    'server',
  )('nav.convert', () => import('./features/convert/ui/coin-exchange.js')),
  boxes: screen('account', 'box')('box.title', () => import('./features/boxes/ui/boxes.js')),
  gallery: screen('bare', 'chat')('title.gallery', () => import('./dev/gallery.js')),
};

/** One line an address. Twins share `load`, so that changing between them does not mount the screen again. */
export const ROUTES: readonly RouteEntry[] = (Object.keys(SCREENS) as ScreenName[]).flatMap((name) =>
  SCREEN_PLACES[name].paths.map((path) => ({ ...SCREENS[name], path, guard: SCREEN_PLACES[name].guard })),
);
