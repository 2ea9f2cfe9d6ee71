import type { Locator } from '@playwright/test';
import { SCREEN_PLACES, type ScreenName } from '../src/paths.js';
import { balance, MARK, POINTS_ACCOUNT, USDT, type Person, type Things } from './install-things.js';

/*
 * What stands on each address (api §5): the screen's own heading, and data of a real install that a page of another
 * screen, or an empty one, does not show. Each screen of `paths.ts` has a line, and so has each of its addresses that
 * is about something of its own; the others are twins, and must show the same.
 */

export interface ScreenExpectation {
  /** Heading of the screen, or the name of its form where a market stands in the heading. */
  readonly heading?: string | RegExp | ((things: Things) => string);
  readonly form?: string | RegExp;
  /** All that is read there beside menus and headings. What moves meanwhile is asked for again. */
  readonly shows: Shown | ((things: Things) => Shown | Promise<Shown>);
  /** Something that is no text: a tab that is open, an option that is chosen. */
  readonly also?: (main: Locator) => Locator;
  /** Query without which the screen has nothing to tell. */
  readonly query?: (things: Things) => string;
  /** Who has something to see there; the others are shown to a trader. */
  readonly who?: Person;
}
export type Shown = readonly (string | RegExp)[];

const LONG = /Long ?10×/;
const openTab = (name: string | RegExp) => (main: Locator) =>
  main.getByRole('tab', { name, exact: true, selected: true });
const chosen = (label: string, option: string) => (main: Locator) =>
  main.getByLabel(label, { exact: true }).locator('option:checked', { hasText: option });

export const STANDS: Readonly<Partial<Record<ScreenName, ScreenExpectation>>> = {
  home: {
    heading: /An exchange that shows its working/,
    shows: ({ strip }) => [strip, 'BTC/USDT', /Rules checked: \d/],
  },
  markets: { heading: 'Markets', shows: ['24 h volume', /ETH\/BTC.*0\.\d{4}/] },
  spot: { form: 'Buy BTC/USDT', shows: [/Open orders \([1-9]/, MARK.sell] },
  micro: { form: 'Seconds contract', shows: ['DOGE/USDT', /Running \([1-9]/, '11 USDT'] },
  microReceipt: {
    heading: 'Receipt',
    query: ({ contract }) => `?id=${contract}`,
    shows: ({ contract }) => [contract, 'BTC/USDT', '11 USDT', '5 minutes'],
  },
  insurance: { heading: 'Insurance', shows: ['My policies', '100 HAP', '5 HAP'] },
  fairness: { heading: 'Fairness', shows: [/What the house has at stake.*USDT/] },
  lever: { form: 'Leverage order in BTC/USDT', shows: ['Risk rate', LONG] },
  leverTransactions: { heading: 'Open positions', shows: ['Risk rate', LONG, /Leverage BTC\/USDT/] },
  leverList: { heading: 'Leverage orders', shows: ['Revoked', MARK.entrust], also: openTab('Pending') },
  leverPositions: { heading: 'All positions', shows: ['Total profit and loss', 'Close longs', LONG] },
  leverRecord: {
    heading: 'Position details',
    query: ({ closed }) => `?id=${closed}`,
    shows: [LONG, 'Closing price', 'Closed', 'Journals', /[+-]\d+\.\d+ USDT/],
  },
  running: {
    heading: 'Open activity',
    shows: [/Open orders ?[1-9]/, /Open positions.*USDT ?[1-9]/, /Pending orders ?[1-9]/, /Savings ?[1-9]/],
  },
  entrusts: { heading: 'Orders', shows: [MARK.sell, 'Revoke'], also: openTab('Selling') },
  login: { heading: 'Log in', shows: ['Forgotten password?', 'Use a code from another device'] },
  register: { heading: 'Create an account', shows: ['Nationality', 'It cannot be changed later'] },
  forget: { heading: 'Reset password', shows: ['New password', 'withdrawals are blocked for 24 hours'] },
  policy: { heading: 'Terms, privacy and risks', shows: ['Who registers agrees to them'] },
  fundPassword: { heading: 'Fund password', shows: ['exactly 6 letters or digits', 'The code goes to tra'] },
  notices: { heading: 'Notices', shows: ({ news }) => [news.title, /\d{4}-\d\d-\d\d/, 'No more notices'] },
  notice: {
    heading: ({ news }) => news.title,
    query: ({ news }) => `?id=${news.id}`,
    shows: ({ news }) => [/Updated \d{4}-\d\d-\d\d/, news.words],
  },
  finance: { heading: /^Total assets/, shows: async () => ['BTC', await balance('change')], also: openTab('Coin') },
  accountDetail: {
    heading: 'Coin USDT',
    query: () => `?currency_id=${USDT}`,
    shows: async () => ['Records', `Available${await balance('change')}`, `-${MARK.moved}`],
  },
  transfer: {
    heading: 'Transfer between accounts',
    shows: async () => [await balance('change')],
    also: chosen('From', 'Coin'),
  },
  transferLog: { heading: 'Transaction log', shows: [`-${MARK.moved} USDT`, `+${MARK.moved} USDT`] },
  transfers: { heading: 'Transfer history', shows: [/Coin ?→ ?Fiat/, /Fiat ?→ ?Coin/, MARK.moved] },
  deposit: {
    heading: 'Deposit coins',
    query: () => `?id=${USDT}`,
    shows: ({ address }) => [address, 'Send only USDT'],
  },
  withdraw: {
    heading: 'Withdraw coins',
    query: () => `?id=${USDT}`,
    shows: ['You receive', 'Withdrawals'],
  },
  depositAddresses: { heading: 'My deposit addresses', shows: ({ address }) => [address, 'Network', 'BTC'] },
  claims: { heading: 'Claims', shows: [MARK.claim, 'Not reviewed yet', 'Enter the amount and the transaction'] },
  coinRecord: {
    heading: 'Deposits and withdrawals',
    shows: [MARK.deposit, 'Transaction'],
    also: openTab('Deposits'),
  },
  withdrawAddresses: { heading: 'Withdrawal addresses', shows: ['Bound addresses', 'No bound addresses yet'] },
  statement: { heading: 'Statement', shows: [MARK.moved, 'Every balance equals the sum of its journals'] },
  solvency: { heading: 'Proof of solvency', shows: [/Snapshot #\d+/, /BTC.*\d/, /[0-9a-f]{16}/] },
  status: { heading: 'Status of the exchange', shows: ['The exchange is open', /Program version \d+\.\d+/] },
  // Signs that keep the name in its direction stand around it.
  accountCentre: { heading: /^Hello, .?B100003/, shows: ['Total assets', /USDT ?[\d,]{5,}\.\d/] },
  accountSettings: { heading: 'Account settings', shows: ['Security level', 'H100003'] },
  firstSteps: { heading: 'Your first steps', shows: ['4 of 4 done', 'All steps are done.'] },
  preferences: { heading: 'Preferences', shows: ['Blue and orange', 'Ask before a limit order'] },
  practice: { heading: 'Practice on a recorded day', shows: ['How orders are filled', 'Practice money'] },
  feeLevel: { heading: 'Fees', shows: ['Level 0', /USDT more to level 1/, 'Turnover from'] },
  identity: { heading: 'Identity authentication', shows: ['Your identity is certified'] },
  bank: { heading: 'Bank account', shows: ['Bank name', 'The account in your own name'] },
  payment: {
    heading: 'Payment settings',
    shows: ['Alipay', 'WeChat', 'Each change asks for it.'],
    also: (main) => main.locator('input[name=alipay_account]:not([value=""])'),
  },
  region: { heading: 'Region users', shows: ['Lisbon', 'Alfama', 'Belém'], who: 'agent' },
  acceptors: { heading: 'Acceptors', shows: ['Pier One', 'Coins it can give (USDT)', /\d\d,\d{3}/] },
  messages: { heading: 'Message centre', shows: ({ message }) => [message.title, 'See all notices'] },
  message: {
    heading: ({ message }) => message.title,
    query: ({ message }) => `?id=${message.id}`,
    shows: [/\d{4}-\d\d-\d\d/, 'What the desk has to say'],
  },
  help: { heading: 'Help centre', shows: ['Keeping your account safe', 'About Bourse', 'Open a complaint'] },
  complaints: { heading: 'Complaints', shows: ({ complaint }) => [complaint, 'Waiting for support', 'New complaint'] },
  bindEmail: { heading: 'Bind e-mail', shows: ['Bound now', '@demo.bourse'] },
  bindPhone: { heading: 'Bind phone', shows: ['Area code', 'Bound now', '555****003'] },
  legalTrade: { heading: 'Fiat shops', shows: [/sel\*+@demo\.bourse/, 'Verified', /\d\.\d\d ?CNY/] },
  myShops: { heading: 'My shop', shows: ['Harbour Desk', /\d,\d{3}/, 'USDT'], who: 'seller' },
  c2cTrade: { heading: 'C2C market', shows: [/6\.50 ?CNY/, /\d+ ?USDT/] },
  c2cRelease: { heading: 'Publish an ad', shows: ['Sell USDT', 'Publish'] },
  c2cOrder: {
    heading: 'C2C orders',
    shows: ({ deal }) => ['Your turn', '65.00 CNY', deal],
    also: openTab(/^My orders/),
    who: 'acceptor',
  },
  c2cDetail: {
    heading: /Buy .?10 USDT.? from/,
    query: ({ deal }) => `?id=${deal}`,
    shows: ({ deal }) => ['What was agreed', deal, /6\.50 ?CNY/, /65\.00 ?CNY/],
    who: 'acceptor',
  },
  c2cRecord: {
    heading: 'Completed deals',
    query: () => `?id=${USDT}`,
    shows: [MARK.sold, /6\.50/],
    who: 'seller',
  },
  savings: { heading: 'Savings', shows: [/30 days.*0\.7/, 'Projected return'] },
  savingsOrders: { heading: 'My savings', shows: [MARK.term, 'Accruing, locked'] },
  points: {
    heading: 'Points exchange',
    shows: ['Exchangeable', '1,000.00000000', 'You have not exchanged points yet.'],
    who: 'trader2',
  },
  pointsAlone: { heading: 'Points exchange', shows: ['Log out', 'Exchangeable', '1,000.00000000'], who: 'trader2' },
  bindPoints: { heading: 'Bind points account', shows: [`Bound to ${POINTS_ACCOUNT}`], who: 'trader2' },
  team: { heading: 'My team', shows: ['Certified members', '#100002', 'extension_code=H100001'], who: 'trader1' },
  // A rebate takes a midnight: rows of real ones stand in rebates.alone.full.browser.test.ts.
  profit: { heading: 'Rebates', shows: ['three generations of your team', 'No rebates yet.'] },
  convert: { heading: 'Convert', shows: ['You give', /Best price.*\d/] },
  gallery: { heading: 'Parts', shows: [/Buttons.*Fields/] },
};
/** Addresses that are about something of their own, by their last part. */
export const AT: Readonly<Record<string, ScreenExpectation>> = {
  '/legal': { heading: /^Total assets/, shows: async () => [await balance('legal'), /Fiat ≈/], also: openTab('Fiat') },
  '/lever': {
    heading: /^Total assets/,
    shows: async () => [await balance('lever'), /Leverage ≈/],
    also: openTab('Leverage'),
  },
  '/micro': {
    heading: /^Total assets/,
    shows: async () => ['HAP', /Seconds contract ≈/],
    also: openTab('Seconds contract'),
  },
  '/legalAccount': {
    heading: 'Fiat USDT',
    query: () => `?currency_id=${USDT}`,
    shows: async () => [`Available${await balance('legal')}`, `+${MARK.moved}`],
  },
  '/microAccount': {
    heading: 'Seconds contract USDT',
    query: () => `?currency_id=${USDT}`,
    shows: async () => [`Available${await balance('micro')}`, /-11\.\d+/],
  },
  '/transferLegal': {
    heading: 'Transfer between accounts',
    shows: async () => [await balance('legal')],
    also: chosen('To', 'Fiat'),
  },
  '/transferLever': {
    heading: 'Transfer between accounts',
    shows: async () => [await balance('lever')],
    also: chosen('To', 'Leverage'),
  },
  '/transferMicro': {
    heading: 'Transfer between accounts',
    shows: async () => [await balance('micro')],
    also: chosen('To', 'Seconds contract'),
  },
};
export const tailOf = (path: string): string =>
  path.slice(path.lastIndexOf('/')).replace('/transfermicro', '/transferMicro');
/** The line of an address: its own, or that of its screen. */
export const standAt = (name: ScreenName, path: string): ScreenExpectation => {
  const stand = AT[tailOf(path)] ?? STANDS[name];
  if (!stand) throw new Error(`nothing is known of ${path}`);
  return stand;
};
/** What a guest sees where it is another thing than what a person sees. */
export const GUEST: Readonly<Partial<Record<ScreenName, ScreenExpectation>>> = {
  spot: { heading: /BTC\/USDT/, shows: ['Log in to see your orders and balances.'] },
  lever: { heading: /BTC\/USDT/, shows: ['Log in to see your positions.'] },
  micro: { heading: /BTC\/USDT/, shows: ['Log in to see your contracts.'] },
  pointsAlone: { heading: 'Points exchange', shows: ['Log in for points alone'] },
};
/** Addresses of this walk: those of examples have pages of their own where an example runs. */
export const PLACES = (Object.keys(SCREEN_PLACES) as ScreenName[])
  .filter((name) => SCREEN_PLACES[name].example === undefined)
  .flatMap((name) => SCREEN_PLACES[name].paths.map((path) => ({ name, path, guard: SCREEN_PLACES[name].guard })));

/**
 * Where orders, deals, deposits and terms stand, and the complaint that each must lead to. Deals of shops are shown by
 * the page of C2C deals.
 */
export const COMPLAINTS: readonly {
  readonly who: Person;
  readonly address: (things: Things) => string;
  readonly kind: string;
  readonly about: (things: Things) => string;
  readonly tab?: string;
}[] = [
  { who: 'trader3', address: () => '/dealCenter', kind: 'trade', about: ({ order }) => order },
  { who: 'trader3', address: () => '/account/accountEntrust', kind: 'trade', about: ({ order }) => order },
  { who: 'trader3', address: () => '/accountEntrust', tab: 'Completed', kind: 'trade', about: () => 'BTC' },
  {
    who: 'trader3',
    address: ({ closed }) => `/leverRecord?id=${closed}`,
    kind: 'trade',
    about: ({ closed }) => closed,
  },
  { who: 'trader3', address: () => '/secondsOrder', kind: 'trade', about: ({ contract }) => contract },
  {
    who: 'trader3',
    address: ({ contract }) => `/microReceipt?id=${contract}`,
    kind: 'trade',
    about: ({ contract }) => contract,
  },
  { who: 'trader3', address: () => '/microInsurance', kind: 'other', about: ({ policy }) => policy },
  { who: 'trader3', address: () => '/account/coinRecord', kind: 'deposit', about: ({ deposit }) => deposit },
  {
    who: 'trader3',
    address: () => '/coinRecord?tab=withdrawals',
    kind: 'withdrawal',
    about: ({ withdrawal }) => withdrawal,
  },
  { who: 'trader3', address: () => '/rechargeMoney?id=3', kind: 'deposit', about: ({ deposit }) => deposit },
  {
    who: 'trader3',
    address: () => '/account/aceite?tab=mine',
    kind: 'deposit',
    about: ({ acceptorDeal }) => acceptorDeal,
  },
  { who: 'trader3', address: () => '/manageList', kind: 'other', about: ({ term }) => term },
  { who: 'acceptor', address: ({ deal }) => `/c2cDetail?id=${deal}`, kind: 'c2c', about: ({ deal }) => deal },
  { who: 'seller', address: ({ deal }) => `/c2cDetail?id=${deal}`, kind: 'c2c', about: ({ deal }) => deal },
];
