/**
 * The audience of a screen. `open` anyone; `user` with a session; `seller`, `acceptor` and `agent` with the role of the
 * profile; `points` a screen that takes the session of the points exchange and asks for it itself.
 */
export type Guard = 'open' | 'user' | 'seller' | 'acceptor' | 'agent' | 'points';

interface Place {
  readonly guard: Guard;
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
  home: { guard: 'open', paths: ['/'] },
  markets: { guard: 'open', paths: ['/allmarket'] },
  spot: { guard: 'open', paths: ['/dealCenter'] },
  practice: { guard: 'open', paths: ['/practice'] },
  micro: { guard: 'open', paths: ['/secondsOrder'] },
  microReceipt: { guard: 'user', paths: ['/microReceipt'] },
  insurance: { guard: 'user', paths: ['/microInsurance'] },
  fairness: { guard: 'open', paths: ['/fairness'] },
  lever: { guard: 'open', paths: ['/leverdealCenter'] },
  leverTransactions: { guard: 'user', paths: ['/leverTransactions'] },
  leverList: { guard: 'user', paths: ['/leverList'] },
  leverPositions: { guard: 'user', paths: ['/allTransaction', '/lever_manger'] },
  leverRecord: { guard: 'user', paths: ['/leverRecord'] },
  running: { guard: 'user', paths: ['/manger'] },
  entrusts: { guard: 'user', paths: account('accountEntrust') },
  login: { guard: 'open', paths: ['/components/login'] },
  register: { guard: 'open', paths: ['/register'] },
  forget: { guard: 'open', paths: ['/forgetPwd', '/resetPwd'] },
  policy: { guard: 'open', paths: ['/policy'] },
  fundPassword: { guard: 'user', paths: ['/bindmpwd', '/setCash'] },
  notices: { guard: 'open', paths: ['/noticeList'] },
  notice: { guard: 'open', paths: ['/noticeDetail'] },
  finance: { guard: 'user', paths: asset('finance', 'dealFinance', 'legal', 'lever', 'micro') },
  accountDetail: { guard: 'user', paths: asset('dealAccount', 'legalAccount', 'microAccount') },
  transfer: {
    guard: 'user',
    paths: asset('transfer', 'transferLegal', 'transferLever', 'transferMicro', 'transfermicro'),
  },
  transferLog: { guard: 'user', paths: account('transferLog') },
  transfers: { guard: 'user', paths: ['/transferRecord'] },
  deposit: { guard: 'user', paths: account('rechargeMoney') },
  withdraw: { guard: 'user', paths: account('withdraw') },
  depositAddresses: { guard: 'user', paths: account('recharge') },
  claims: { guard: 'user', paths: account('chargeRecord') },
  coinRecord: { guard: 'user', paths: account('coinRecord') },
  withdrawAddresses: { guard: 'user', paths: ['/withdraw_address'] },
  statement: { guard: 'user', paths: ['/finanrec'] },
  solvency: { guard: 'open', paths: ['/solvency'] },
  status: { guard: 'open', paths: ['/status'] },
  accountCentre: { guard: 'user', paths: ['/account', ...account('accountCenter')] },
  accountSettings: { guard: 'user', paths: account('accountSet') },
  firstSteps: { guard: 'user', paths: account('firstSteps') },
  preferences: { guard: 'open', paths: ['/preferences'] },
  feeLevel: { guard: 'user', paths: account('fees') },
  identity: { guard: 'user', paths: account('authentication') },
  bank: { guard: 'user', paths: account('bankAuthentication') },
  payment: { guard: 'user', paths: ['/userSetting'] },
  region: { guard: 'agent', paths: account('region') },
  acceptors: { guard: 'user', paths: account('aceite') },
  messages: { guard: 'user', paths: [...account('accountMessage'), '/msgList'] },
  message: { guard: 'user', paths: ['/msgDetail'] },
  help: { guard: 'open', paths: ['/help'] },
  complaints: { guard: 'user', paths: ['/complaints'] },
  bindEmail: { guard: 'user', paths: ['/bindEmail'] },
  bindPhone: { guard: 'user', paths: ['/bindPhone'] },
  legalTrade: { guard: 'open', paths: ['/legalTrade'] },
  myShops: { guard: 'seller', paths: ['/myLegalShops'] },
  c2cTrade: { guard: 'user', paths: ['/c2cTrade'] },
  c2cRelease: { guard: 'user', paths: ['/c2cRelease'] },
  c2cOrder: { guard: 'user', paths: ['/c2cOrder'] },
  c2cDetail: { guard: 'user', paths: ['/c2cDetail'] },
  c2cRecord: { guard: 'user', paths: ['/c2cRecord'] },
  savings: { guard: 'open', paths: ['/manage'] },
  savingsOrders: { guard: 'user', paths: ['/manageList'] },
  points: { guard: 'user', paths: account('integralExchange') },
  pointsAlone: { guard: 'points', paths: ['/integralExchanges'] },
  bindPoints: { guard: 'user', paths: ['/bindInfo'] },
  team: { guard: 'user', paths: ['/team', ...account('tree')] },
  profit: { guard: 'user', paths: account('profit') },
  convert: { guard: 'user', paths: account('coinExchange') },
  boxes: { guard: 'user', paths: ['/box'], example: 'service-template' },
  // The gateway gives this one to development installs alone.
  gallery: { guard: 'open', paths: ['/dev/gallery'] },
} as const satisfies Record<string, Place>;

export type ScreenName = keyof typeof PLACES;
export const SCREEN_PLACES: Readonly<Record<ScreenName, Place>> = PLACES;

const NAMES = new Map(
  (Object.entries(PLACES) as [ScreenName, Place][]).flatMap(([name, { paths }]) => paths.map((path) => [path, name])),
);
/** All addresses that have a screen, those of examples with their example. */
export const ADDRESSES: readonly (string | { readonly path: string; readonly example: string })[] =
  Object.values<Place>(PLACES).flatMap(({ paths, example }) =>
    paths.map((path) => (example === undefined ? path : { path, example })),
  );

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
