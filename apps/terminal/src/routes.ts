import type { ComponentType } from 'react';
import type { Area } from '@bourse/i18n';
import { SCREEN_PLACES, type Guard, type ScreenName } from './paths.js';

/** `member` is `account` for signed-in people and `site` for guests. */
export type Layout = 'public' | 'site' | 'terminal' | 'account' | 'member' | 'bare';
/** The module of a screen. */
interface ScreenModule {
  readonly default: ComponentType;
  /** Requests the first data of the screen while the page still loads other files. */
  readonly preload?: () => void;
}
/** How a screen is drawn; `paths.ts` has its address and its visitors. */
interface ScreenEntry {
  readonly layout: Layout;
  /** Code of the screen; its module exports the component as default. */
  readonly load: () => Promise<ScreenModule>;
  /** Text of the window title. */
  readonly title: string;
}
export interface RouteEntry extends ScreenEntry {
  readonly path: string;
  readonly guard: Guard;
  /** Texts the screen needs besides `core`. */
  readonly areas: readonly Area[];
}

/** The one table of screens: the router, the guards and the tests walk it. */
const SCREENS: Readonly<Record<ScreenName, ScreenEntry>> = {
  home: { layout: 'site', title: 'title.home', load: () => import('./features/home/ui/home.js') },
  markets: { layout: 'site', title: 'nav.markets', load: () => import('./features/markets/ui/markets.js') },
  notices: { layout: 'site', title: 'nav.notices', load: () => import('./features/notices/ui/notice-list.js') },
  notice: { layout: 'site', title: 'nav.notices', load: () => import('./features/notices/ui/notice-detail.js') },
  spot: { layout: 'terminal', title: 'title.spot', load: () => import('./features/spot/ui/spot-screen.js') },
  practice: {
    layout: 'terminal',
    title: 'nav.practice',
    load: () => import('./features/spot/ui/practice/practice-screen.js'),
  },
  micro: { layout: 'terminal', title: 'nav.micro', load: () => import('./features/micro/ui/micro-screen.js') },
  microReceipt: { layout: 'public', title: 'micro.receipt', load: () => import('./features/micro/ui/receipt-page.js') },
  insurance: { layout: 'account', title: 'nav.insurance', load: () => import('./features/micro/ui/insurance-page.js') },
  fairness: { layout: 'member', title: 'nav.fairness', load: () => import('./features/micro/ui/fairness-page.js') },
  lever: { layout: 'terminal', title: 'nav.leverage', load: () => import('./features/lever/ui/lever-screen.js') },
  leverTransactions: {
    layout: 'account',
    title: 'lever.positions',
    load: () => import('./features/lever/ui/lever-transactions.js'),
  },
  leverList: { layout: 'account', title: 'nav.leverList', load: () => import('./features/lever/ui/lever-list.js') },
  leverPositions: {
    layout: 'account',
    title: 'nav.allPositions',
    load: () => import('./features/lever/ui/all-positions.js'),
  },
  leverRecord: { layout: 'account', title: 'lever.record', load: () => import('./features/lever/ui/lever-record.js') },
  running: { layout: 'account', title: 'nav.running', load: () => import('./features/lever/ui/running.js') },
  entrusts: { layout: 'account', title: 'title.entrust', load: () => import('./features/spot/ui/entrust-list.js') },
  login: { layout: 'public', title: 'nav.login', load: () => import('./features/auth/ui/login.js') },
  register: { layout: 'public', title: 'nav.register', load: () => import('./features/auth/ui/register.js') },
  forget: { layout: 'public', title: 'title.forget', load: () => import('./features/auth/ui/forget.js') },
  policy: { layout: 'site', title: 'title.policy', load: () => import('./features/auth/ui/policy.js') },
  fundPassword: {
    layout: 'account',
    title: 'nav.fundPassword',
    load: () => import('./features/auth/ui/fund-password.js'),
  },
  bindEmail: { layout: 'public', title: 'title.bindEmail', load: () => import('./features/account/ui/bind-email.js') },
  bindPhone: { layout: 'public', title: 'title.bindPhone', load: () => import('./features/account/ui/bind-phone.js') },
  finance: { layout: 'account', title: 'nav.assets', load: () => import('./features/wallet/ui/finance.js') },
  accountDetail: {
    layout: 'account',
    title: 'nav.assets',
    load: () => import('./features/wallet/ui/account-detail.js'),
  },
  transfer: { layout: 'account', title: 'nav.transfer', load: () => import('./features/wallet/ui/transfer-page.js') },
  transferLog: {
    layout: 'account',
    title: 'nav.transferLog',
    load: () => import('./features/wallet/ui/transfer-log.js'),
  },
  transfers: {
    layout: 'account',
    title: 'title.transfers',
    load: () => import('./features/wallet/ui/transfer-history.js'),
  },
  deposit: { layout: 'account', title: 'nav.deposit', load: () => import('./features/wallet/ui/deposit-page.js') },
  withdraw: { layout: 'account', title: 'nav.withdraw', load: () => import('./features/wallet/ui/withdraw-page.js') },
  depositAddresses: {
    layout: 'account',
    title: 'wallet.allAddresses',
    load: () => import('./features/wallet/ui/addresses.js'),
  },
  claims: { layout: 'account', title: 'wallet.claims', load: () => import('./features/wallet/ui/charge-record.js') },
  coinRecord: { layout: 'account', title: 'nav.coinRecord', load: () => import('./features/wallet/ui/coin-record.js') },
  withdrawAddresses: {
    layout: 'account',
    title: 'nav.withdrawAddress',
    load: () => import('./features/wallet/ui/withdraw-address.js'),
  },
  statement: { layout: 'account', title: 'nav.statement', load: () => import('./features/wallet/ui/statement.js') },
  solvency: { layout: 'member', title: 'nav.solvency', load: () => import('./features/wallet/ui/solvency.js') },
  status: { layout: 'site', title: 'state.title', load: () => import('./features/status/ui/status-page.js') },
  accountCentre: {
    layout: 'account',
    title: 'nav.accountCentre',
    load: () => import('./features/account/ui/account-centre.js'),
  },
  accountSettings: {
    layout: 'account',
    title: 'nav.accountSet',
    load: () => import('./features/account/ui/account-settings.js'),
  },
  firstSteps: {
    layout: 'account',
    title: 'nav.firstSteps',
    load: () => import('./features/account/ui/first-steps.js'),
  },
  preferences: {
    layout: 'member',
    title: 'nav.preferences',
    load: () => import('./features/account/ui/preferences.js'),
  },
  feeLevel: { layout: 'account', title: 'nav.fees', load: () => import('./features/account/ui/fee-level.js') },
  identity: { layout: 'account', title: 'nav.identity', load: () => import('./features/account/ui/identity.js') },
  bank: { layout: 'account', title: 'nav.bank', load: () => import('./features/account/ui/bank.js') },
  payment: { layout: 'account', title: 'nav.payment', load: () => import('./features/account/ui/payment-settings.js') },
  region: { layout: 'account', title: 'nav.region', load: () => import('./features/account/ui/region.js') },
  acceptors: { layout: 'account', title: 'nav.acceptors', load: () => import('./features/acceptors/ui/acceptors.js') },
  messages: { layout: 'account', title: 'nav.messages', load: () => import('./features/notices/ui/message-list.js') },
  message: { layout: 'account', title: 'nav.messages', load: () => import('./features/notices/ui/message-detail.js') },
  help: { layout: 'site', title: 'nav.help', load: () => import('./features/notices/ui/help.js') },
  complaints: {
    layout: 'account',
    title: 'nav.complaints',
    load: () => import('./features/complaints/ui/complaints.js'),
  },
  legalTrade: { layout: 'public', title: 'nav.fiat', load: () => import('./features/shops/ui/legal-trade.js') },
  myShops: { layout: 'account', title: 'nav.shop', load: () => import('./features/shops/ui/my-shops.js') },
  c2cTrade: { layout: 'public', title: 'deals.market', load: () => import('./features/deals/ui/trade.js') },
  c2cRelease: { layout: 'public', title: 'deals.release', load: () => import('./features/deals/ui/release.js') },
  c2cOrder: { layout: 'public', title: 'deals.orders', load: () => import('./features/deals/ui/orders.js') },
  c2cDetail: { layout: 'public', title: 'deals.deal', load: () => import('./features/deals/ui/detail.js') },
  c2cRecord: { layout: 'public', title: 'deals.records', load: () => import('./features/deals/ui/record.js') },
  savings: { layout: 'public', title: 'nav.savings', load: () => import('./features/savings/ui/subscribe.js') },
  savingsOrders: {
    layout: 'account',
    title: 'nav.savingsOrders',
    load: () => import('./features/savings/ui/orders.js'),
  },
  points: { layout: 'account', title: 'nav.points', load: () => import('./features/points/ui/points-exchange.js') },
  pointsAlone: { layout: 'bare', title: 'nav.points', load: () => import('./features/points/ui/points-page.js') },
  bindPoints: { layout: 'public', title: 'points.bindTitle', load: () => import('./features/points/ui/bind-info.js') },
  team: { layout: 'account', title: 'nav.team', load: () => import('./features/team/ui/team.js') },
  profit: { layout: 'account', title: 'nav.profit', load: () => import('./features/team/ui/profit.js') },
  convert: { layout: 'account', title: 'nav.convert', load: () => import('./features/convert/ui/coin-exchange.js') },
  boxes: { layout: 'account', title: 'box.title', load: () => import('./features/boxes/ui/boxes.js') },
  gallery: { layout: 'bare', title: 'title.gallery', load: () => import('./dev/gallery.js') },
};

/** One line an address. Twins share `load`, so that changing between them does not mount the screen again. */
export const ROUTES: readonly RouteEntry[] = (Object.keys(SCREENS) as ScreenName[]).flatMap((name) => {
  const { paths, guard, areas } = SCREEN_PLACES[name];
  return paths.map((path) => ({ ...SCREENS[name], path, guard, areas }));
});
