/**
 * Demo people of a fresh dev install (rules §17). Balances are `product.COIN` → amount, all booked from `h.outside` by
 * journals.
 */
export interface DemoPerson {
  readonly id: number;
  readonly email: string;
  readonly phone?: { readonly areaCode: string; readonly number: string };
  readonly certified: boolean;
  readonly fundPassword: boolean;
  readonly payment: boolean;
  readonly invitedBy?: number;
  readonly isSeller?: boolean;
  readonly isAcceptor?: boolean;
  readonly region?: string;
  readonly bankRegion?: string;
  /** The two house accounts trade through the ordinary path and cannot sign in. */
  readonly cannotSignIn?: boolean;
  readonly balances: Readonly<Record<string, string>>;
}

/** Operators of a fresh dev install (rules §17); their password is that of the demo people. */
export const DEMO_OPERATORS = [
  { id: 1, username: 'operator', roles: ['admin'] },
  { id: 2, username: 'finance1', roles: ['finance'] },
  { id: 3, username: 'finance2', roles: ['finance'] },
  { id: 4, username: 'support1', roles: ['support'] },
  { id: 5, username: 'operator2', roles: ['admin'] },
  { id: 6, username: 'operator3', roles: ['admin'] },
] as const;

export const DEMO_PASSWORD = 'Harbor-2468';
export const DEMO_FUND_PASSWORD = 'fund66';
export const MAKER_ID = 100090;
export const TAKER_ID = 100091;
/**
 * The house's trading accounts: trades between two of them are marked, and happen on demo installs alone (api §6.19).
 */
export const HOUSE_ACCOUNTS: ReadonlySet<number> = new Set([MAKER_ID, TAKER_ID]);

const trader = {
  'change.USDT': '100000',
  'change.BTC': '2',
  'change.ETH': '20',
  'change.XRP': '10000',
  'legal.USDT': '20000',
  'lever.USDT': '10000',
  'micro.USDT': '5000',
  'micro.HAP': '5000',
};
/** Both house accounts hold 10,000,000 USDT and as much of each traded coin, at the first prices. */
const house = {
  'change.USDT': '10000000',
  'change.BTC': '176.46',
  'change.ETH': '2396.09',
  'change.XRP': '6762239',
  'change.LTC': '26469',
  'change.DOGE': '20262193',
  'change.ADA': '5671184',
};

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  {
    id: 100001,
    email: 'trader1@demo.bourse',
    certified: true,
    fundPassword: true,
    payment: true,
    bankRegion: 'Lisbon/Alfama',
    balances: trader,
  },
  {
    id: 100002,
    email: 'trader2@demo.bourse',
    certified: true,
    fundPassword: true,
    payment: true,
    invitedBy: 100001,
    bankRegion: 'Lisbon/Belém',
    balances: trader,
  },
  {
    id: 100003,
    email: 'trader3@demo.bourse',
    phone: { areaCode: '1', number: '5550100003' },
    certified: true,
    fundPassword: true,
    payment: true,
    invitedBy: 100002,
    balances: trader,
  },
  {
    id: 100010,
    email: 'newbie@demo.bourse',
    certified: false,
    fundPassword: false,
    payment: false,
    balances: { 'change.USDT': '1000' },
  },
  {
    id: 100011,
    email: 'nofund@demo.bourse',
    certified: true,
    fundPassword: false,
    payment: false,
    balances: { 'change.USDT': '1000' },
  },
  {
    id: 100012,
    email: 'nopay@demo.bourse',
    certified: true,
    fundPassword: true,
    payment: false,
    balances: { 'legal.USDT': '1000' },
  },
  {
    id: 100020,
    email: 'seller@demo.bourse',
    certified: true,
    fundPassword: true,
    payment: true,
    isSeller: true,
    balances: { 'merchant.USDT': '20000', 'legal.USDT': '2000' },
  },
  {
    id: 100030,
    email: 'acceptor@demo.bourse',
    certified: true,
    fundPassword: true,
    payment: true,
    isAcceptor: true,
    balances: { 'acceptor.USDT': '50000' },
  },
  {
    id: 100040,
    email: 'agent@demo.bourse',
    certified: true,
    fundPassword: true,
    payment: true,
    region: 'Lisbon',
    balances: {},
  },
  {
    id: MAKER_ID,
    email: 'maker@house.bourse',
    certified: true,
    fundPassword: false,
    payment: false,
    cannotSignIn: true,
    balances: house,
  },
  {
    id: TAKER_ID,
    email: 'taker@house.bourse',
    certified: true,
    fundPassword: false,
    payment: false,
    cannotSignIn: true,
    balances: house,
  },
];

/**
 * The accounts of the built-in third party of points (rules §17): this account and numbered ones like it (`jcdemo2`),
 * all with one password and balance. For `silent` the third party does not answer at all.
 */
export const DEMO_POINTS_PROGRAM = {
  account: 'jcdemo',
  password: 'jcdemo1',
  points: '1000',
  free: '500',
  silent: 'jcdown',
} as const;

/** House accounts of a fresh dev install, all booked from `h.outside`. */
export const DEMO_HOUSE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'h.capital': { USDT: '10000000' },
  'h.lever': { USDT: '2000000' },
  'h.lever_fund': { USDT: '500000' },
  'h.micro': { USDT: '500000', HAP: '500000' },
  'h.savings': { USDT: '100000', BTC: '2' },
  'h.insurance': { HAP: '50000' },
  'h.points': { HAP: '100000' },
};
