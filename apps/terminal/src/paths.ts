import type { Area } from '@bourse/i18n';

/**
 * The audience of a screen. `open` anyone; `user` with a session; `seller`, `acceptor` and `agent` with the role of the
 * profile; `points` a screen that takes the session of the points exchange and asks for it itself.
 */
export type Guard = 'open' | 'user' | 'seller' | 'acceptor' | 'agent' | 'points';

interface Place {
  readonly guard: Guard;
  /** Areas of texts that the screen needs besides `core`. */
  readonly areas: readonly Area[];
  /** Addresses as the contract names them (api §5). The first is the one that links lead to. */
  readonly paths: readonly string[];
  /**
   * The service of `examples/` that it belongs to: the address has a page where that runs, and answers 404 elsewhere.
   */
  readonly example?: string;
}

/** Children of the account layout, and the same alone. */
const account = (...names: string[]): string[] => names.flatMap((name) => [`/account/${name}`, `/${name}`]);
/** Asset addresses stand in the asset layout and alone. */
const asset = (...names: string[]): string[] => names.flatMap((name) => [`/${name}`, `/new_account/${name}`]);

/**
 * Every screen with its addresses, apart from the code that draws it (`routes.ts`): menus, keys and links ask here
 * without loading a screen, and the build writes the list that the gateway answers with 200. An address that is not
 * here answers 404.
 */
const PLACES = {
  home: { guard: 'open', areas: ['help'], paths: ['/'] },
  markets: { guard: 'open', areas: ['markets'], paths: ['/allmarket'] },
  spot: { guard: 'open', areas: ['trade'], paths: ['/dealCenter'] },
  practice: { guard: 'open', areas: ['trade', 'desk', 'practice', 'server'], paths: ['/practice'] },
  micro: { guard: 'open', areas: ['trade', 'micro'], paths: ['/secondsOrder'] },
  microReceipt: { guard: 'user', areas: ['trade', 'micro'], paths: ['/microReceipt'] },
  insurance: { guard: 'user', areas: ['trade', 'micro', 'server'], paths: ['/microInsurance'] },
  fairness: { guard: 'open', areas: ['micro'], paths: ['/fairness'] },
  lever: { guard: 'open', areas: ['trade', 'lever'], paths: ['/leverdealCenter'] },
  leverTransactions: { guard: 'user', areas: ['trade', 'lever'], paths: ['/leverTransactions'] },
  leverList: { guard: 'user', areas: ['trade', 'lever'], paths: ['/leverList'] },
  leverPositions: { guard: 'user', areas: ['trade', 'lever'], paths: ['/allTransaction', '/lever_manger'] },
  leverRecord: { guard: 'user', areas: ['trade', 'lever'], paths: ['/leverRecord'] },
  running: { guard: 'user', areas: ['trade', 'lever'], paths: ['/manger'] },
  entrusts: { guard: 'user', areas: ['trade', 'desk'], paths: account('accountEntrust') },
  login: { guard: 'open', areas: ['account', 'server'], paths: ['/components/login'] },
  register: { guard: 'open', areas: ['account', 'server'], paths: ['/register'] },
  forget: { guard: 'open', areas: ['account', 'server'], paths: ['/forgetPwd', '/resetPwd'] },
  policy: { guard: 'open', areas: ['policy'], paths: ['/policy'] },
  fundPassword: { guard: 'user', areas: ['account', 'server'], paths: ['/bindmpwd', '/setCash'] },
  notices: { guard: 'open', areas: ['help', 'pages'], paths: ['/noticeList'] },
  notice: { guard: 'open', areas: ['help', 'pages'], paths: ['/noticeDetail'] },
  finance: {
    guard: 'user',
    areas: ['wallet', 'server'],
    paths: asset('finance', 'dealFinance', 'legal', 'lever', 'micro'),
  },
  accountDetail: {
    guard: 'user',
    areas: ['wallet', 'server'],
    paths: asset('dealAccount', 'legalAccount', 'microAccount'),
  },
  transfer: {
    guard: 'user',
    areas: ['wallet', 'server'],
    paths: asset('transfer', 'transferLegal', 'transferLever', 'transferMicro', 'transfermicro'),
  },
  transferLog: { guard: 'user', areas: ['wallet'], paths: account('transferLog') },
  transfers: { guard: 'user', areas: ['wallet'], paths: ['/transferRecord'] },
  deposit: { guard: 'user', areas: ['wallet', 'server'], paths: account('rechargeMoney') },
  withdraw: { guard: 'user', areas: ['wallet', 'server'], paths: account('withdraw') },
  depositAddresses: { guard: 'user', areas: ['wallet', 'server'], paths: account('recharge') },
  claims: { guard: 'user', areas: ['wallet', 'server'], paths: account('chargeRecord') },
  coinRecord: { guard: 'user', areas: ['wallet', 'server'], paths: account('coinRecord') },
  withdrawAddresses: { guard: 'user', areas: ['wallet', 'server', 'account'], paths: ['/withdraw_address'] },
  statement: { guard: 'user', areas: ['wallet', 'server'], paths: ['/finanrec'] },
  solvency: { guard: 'open', areas: ['wallet', 'server'], paths: ['/solvency'] },
  status: { guard: 'open', areas: ['help', 'pages'], paths: ['/status'] },
  accountCentre: {
    guard: 'user',
    areas: ['account', 'server', 'security'],
    paths: ['/account', ...account('accountCenter')],
  },
  accountSettings: { guard: 'user', areas: ['account', 'server', 'security'], paths: account('accountSet') },
  firstSteps: { guard: 'user', areas: ['account', 'server'], paths: account('firstSteps') },
  preferences: { guard: 'open', areas: ['account', 'prefs'], paths: ['/preferences'] },
  feeLevel: { guard: 'user', areas: ['account', 'server'], paths: account('fees') },
  identity: { guard: 'user', areas: ['account', 'server'], paths: account('authentication') },
  bank: { guard: 'user', areas: ['account', 'server'], paths: account('bankAuthentication') },
  payment: { guard: 'user', areas: ['account', 'server'], paths: ['/userSetting'] },
  region: { guard: 'agent', areas: ['account'], paths: account('region') },
  acceptors: { guard: 'user', areas: ['acc', 'wallet', 'account', 'server'], paths: account('aceite') },
  messages: { guard: 'user', areas: ['pages'], paths: [...account('accountMessage'), '/msgList'] },
  message: { guard: 'user', areas: ['pages'], paths: ['/msgDetail'] },
  help: { guard: 'open', areas: ['help', 'pages'], paths: ['/help'] },
  complaints: { guard: 'user', areas: ['complaints', 'pages', 'server'], paths: ['/complaints'] },
  bindEmail: { guard: 'user', areas: ['account', 'server'], paths: ['/bindEmail'] },
  bindPhone: { guard: 'user', areas: ['account', 'server'], paths: ['/bindPhone'] },
  legalTrade: { guard: 'open', areas: ['deals', 'chat', 'server', 'shops'], paths: ['/legalTrade'] },
  myShops: { guard: 'seller', areas: ['deals', 'chat', 'server', 'shops'], paths: ['/myLegalShops'] },
  c2cTrade: { guard: 'user', areas: ['deals', 'chat', 'server'], paths: ['/c2cTrade'] },
  c2cRelease: { guard: 'user', areas: ['deals', 'chat', 'server'], paths: ['/c2cRelease'] },
  c2cOrder: { guard: 'user', areas: ['deals', 'chat', 'server'], paths: ['/c2cOrder'] },
  c2cDetail: { guard: 'user', areas: ['deals', 'chat', 'server'], paths: ['/c2cDetail'] },
  c2cRecord: { guard: 'user', areas: ['deals', 'chat', 'server'], paths: ['/c2cRecord'] },
  savings: { guard: 'open', areas: ['savings', 'wallet', 'server'], paths: ['/manage'] },
  savingsOrders: { guard: 'user', areas: ['savings', 'wallet', 'server'], paths: ['/manageList'] },
  points: { guard: 'user', areas: ['points', 'server'], paths: account('integralExchange') },
  pointsAlone: { guard: 'points', areas: ['points', 'account', 'server'], paths: ['/integralExchanges'] },
  bindPoints: { guard: 'user', areas: ['account', 'server', 'points'], paths: ['/bindInfo'] },
  team: { guard: 'user', areas: ['team', 'server'], paths: ['/team', ...account('tree')] },
  profit: { guard: 'user', areas: ['team'], paths: account('profit') },
  convert: { guard: 'user', areas: ['convert', 'wallet', 'server'], paths: account('coinExchange') },
  boxes: { guard: 'user', areas: ['box'], paths: ['/box'], example: 'service-template' },
  // The gateway gives this one to development installs alone.
  gallery: { guard: 'open', areas: ['chat'], paths: ['/dev/gallery'] },
} as const satisfies Record<string, Place>;

export type ScreenName = keyof typeof PLACES;
export const SCREEN_PLACES: Readonly<Record<ScreenName, Place>> = PLACES;

const ENTRIES = Object.entries(PLACES) as [ScreenName, Place][];
const NAMES = new Map(ENTRIES.flatMap(([name, { paths }]) => paths.map((path) => [path, name])));
/** The screens that guests see: each has a page of its own, which requests its files at once. */
export const OPEN_SCREENS = ENTRIES.flatMap(([name, { guard, areas }]) =>
  guard === 'open' ? [{ name, areas, page: `screens/${name}.html` }] : [],
);

interface Address {
  readonly path: string;
  readonly example?: string;
  /** The file of its page in the build; without one it has the common page. */
  readonly page?: string;
}
/** All addresses that have a screen. */
export const ADDRESSES: readonly Address[] = ENTRIES.flatMap(([name, { paths, example }]) => {
  const page = OPEN_SCREENS.find((screen) => screen.name === name)?.page;
  return paths.map((path) => ({ path, ...(example && { example }), ...(page && { page }) }));
});

const nameAt = (address: string): ScreenName | undefined => NAMES.get(address.split(/[?#]/)[0] ?? '');
/** Whether a screen exists at this address, with a query or without: menus show nothing else. */
export const hasScreen = (address: string): boolean => nameAt(address) !== undefined;
/** Whether two addresses show one screen: menus mark their entry at its twins too. */
export const sameScreen = (one: string, other: string): boolean =>
  one === other || (nameAt(one) !== undefined && nameAt(one) === nameAt(other));

/** The spot screen of a pair (api §5: query legalId, currencyId). */
export const spotAddress = ({ legal_id, currency_id }: { legal_id: number; currency_id: number }): string =>
  `/dealCenter?legalId=${legal_id}&currencyId=${currency_id}`;

/** The leverage centre of a pair. */
export const leverAddress = ({ legal_id, currency_id }: { legal_id: number; currency_id: number }): string =>
  `/leverdealCenter?legalId=${legal_id}&currencyId=${currency_id}`;
