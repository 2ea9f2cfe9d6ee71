/**
 * Currencies that exist in the ledger only (rules §1). They are not coins: no list, wallet, transfer or solvency proof
 * shows them, and no statement but their owner's. Their ids are above all ids of the catalog.
 */
export const INTERNAL_CURRENCIES = {
  /** Points, issued by `h.points` (rules §10). */
  PTS: { id: 900_001, scale: 8 },
  /** Fiat cash that an acceptor can pay out, issued by `h.quota` (rules §7). */
  CSH: { id: 900_002, scale: 2 },
} as const;
export type InternalCurrency = keyof typeof INTERNAL_CURRENCIES;
/** The catalog's currencies have smaller ids. */
export const INTERNAL_CURRENCY_MIN = 900_000;
export const isInternalCurrency = (currency: number): boolean => currency >= INTERNAL_CURRENCY_MIN;

/** Flag in the catalog that allows a currency in an account (rules §1). */
export type CurrencyFlag = 'isLegal' | 'isLever' | 'isMicro';

/** The properties of an account that every service shares. */
export interface AccountFacts {
  readonly owner: 'user' | 'house';
  /** Whether the available amount may be negative, by account and currency (rules §1). */
  readonly mayBeNegative: 'never' | 'in every currency' | readonly InternalCurrency[];
  /** Coins that the account may hold: all, those with a flag of the catalog, or none. */
  readonly coins: 'every' | CurrencyFlag | 'none';
  /** Internal currencies that the account may hold. */
  readonly internal: readonly InternalCurrency[];
  /** Group of the wallet that shows it (api §2.2); null: its product shows it, or no screen does. */
  readonly shownAs: 'change_wallet' | 'legal_wallet' | 'lever_wallet' | 'micro_wallet' | null;
  /** Number of its log in `legal_log` (api §2.2); null: it has none. */
  readonly statementType: number | null;
  /**
   * The state that this log shows: `held` if all money of the account is held, so that the available amount never
   * changes.
   */
  readonly statementState: 'available' | 'held';
  /** Whether people transfer money to and from it (rules §8.2), and two operators may correct it (api §2.12). */
  readonly transfers: boolean;
  /** Whether operators move house money to and from it by `admin/house/fund` (api §2.12). */
  readonly funded: boolean;
  /**
   * Whether the house pays people out of it in each partition: the ledger rebalances it over the partitions
   * (architecture §4).
   */
  readonly evened: boolean;
}

const user = (facts: Pick<AccountFacts, 'coins'> & Partial<AccountFacts>): AccountFacts => ({
  owner: 'user',
  mayBeNegative: 'never',
  internal: [],
  shownAs: null,
  statementType: null,
  statementState: 'available',
  transfers: false,
  funded: false,
  evened: false,
  ...facts,
});
const house = (facts: Partial<AccountFacts> = {}): AccountFacts => ({
  owner: 'house',
  mayBeNegative: 'never',
  coins: 'every',
  internal: [],
  shownAs: null,
  statementType: null,
  statementState: 'available',
  transfers: false,
  funded: false,
  evened: false,
  ...facts,
});

/**
 * All accounts (rules §1). Code that reads, checks, shows or bounds accounts uses this table; a test compares the
 * constraints of the database with it [LEDGER-051].
 */
export const ACCOUNTS = {
  change: user({ coins: 'every', shownAs: 'change_wallet', statementType: 2, transfers: true }),
  legal: user({ coins: 'isLegal', shownAs: 'legal_wallet', statementType: 1, transfers: true }),
  lever: user({ coins: 'isLever', shownAs: 'lever_wallet', statementType: 3, transfers: true }),
  micro: user({ coins: 'isMicro', shownAs: 'micro_wallet', statementType: 4, transfers: true }),
  savings: user({ coins: 'every', statementType: 6, statementState: 'held' }),
  insurance: user({ coins: 'isMicro', statementType: 5 }),
  points: user({ coins: 'none', internal: ['PTS'], statementType: 7 }),
  merchant: user({ coins: 'isLegal', statementType: 8 }),
  acceptor: user({ coins: 'isLegal' }),
  quota: user({ coins: 'none', internal: ['CSH'] }),
  'h.fees': house({ funded: true, evened: true }),
  'h.outside': house({ mayBeNegative: 'in every currency' }),
  'h.clearing': house({ mayBeNegative: 'in every currency' }),
  'h.capital': house({ funded: true, evened: true }),
  'h.lever': house({ funded: true, evened: true }),
  'h.lever_fund': house({ funded: true, evened: true }),
  'h.micro': house({ funded: true, evened: true }),
  'h.savings': house({ funded: true, evened: true }),
  'h.insurance': house({ funded: true, evened: true }),
  'h.points': house({ internal: ['PTS'], mayBeNegative: ['PTS'], funded: true, evened: true }),
  'h.suspense': house(),
  'h.quota': house({ coins: 'none', internal: ['CSH'], mayBeNegative: 'in every currency' }),
} as const satisfies Record<string, AccountFacts>;

export type AccountName = keyof typeof ACCOUNTS;
/** Accounts that each person has (rules §1). */
export type Product = Exclude<AccountName, `h.${string}`>;
export type HouseAccount = Extract<AccountName, `h.${string}`>;

/** Facts of each account, in the order of the table. */
export const ACCOUNT_FACTS: ReadonlyMap<string, AccountFacts> = new Map(Object.entries(ACCOUNTS));
/** Names of the accounts for which `holds` is true, in the order of the table. */
export const accountsWhere = (holds: (facts: AccountFacts) => boolean): AccountName[] =>
  [...ACCOUNT_FACTS].filter(([, facts]) => holds(facts)).map(([name]) => name as AccountName);

export const PRODUCTS = accountsWhere(({ owner }) => owner === 'user') as readonly Product[];
export const HOUSE_ACCOUNTS = accountsWhere(({ owner }) => owner === 'house') as readonly HouseAccount[];

const alwaysNegative: ReadonlySet<string> = new Set(
  accountsWhere(({ mayBeNegative }) => mayBeNegative === 'in every currency'),
);
const negativeIn: ReadonlyMap<string, ReadonlySet<number>> = new Map(
  [...ACCOUNT_FACTS].flatMap(([name, { mayBeNegative }]) =>
    typeof mayBeNegative === 'string'
      ? []
      : [[name, new Set<number>(mayBeNegative.map((currency) => INTERNAL_CURRENCIES[currency].id))] as const],
  ),
);
/** Whether an account may be below zero in a currency (rules §1). */
export const mayGoNegative = (account: string, currency: number): boolean =>
  alwaysNegative.has(account) || (negativeIn.get(account)?.has(currency) ?? false);

/**
 * The same as a condition of SQL on the columns `owner`, `product` and `currency` of a balance: true where it may be
 * below zero.
 */
export const mayGoNegativeSql = (): string => {
  const quoted = (names: Iterable<string>): string => [...names].map((name) => `'${name}'`).join(', ');
  const some = [...negativeIn].map(
    ([name, currencies]) => `(product = '${name}' and currency in (${[...currencies].join(', ')}))`,
  );
  return `(owner < 0 and (${[`product in (${quoted(alwaysNegative)})`, ...some].join(' or ')}))`;
};

const withoutCoins: ReadonlySet<string> = new Set(accountsWhere(({ coins }) => coins === 'none'));
const internalIn: ReadonlyMap<number, ReadonlySet<string>> = new Map(
  (Object.keys(INTERNAL_CURRENCIES) as InternalCurrency[]).map((currency) => [
    INTERNAL_CURRENCIES[currency].id,
    new Set<string>(accountsWhere(({ internal }) => internal.includes(currency))),
  ]),
);
/**
 * Whether an account may hold a currency at all: internal currencies are allowed only in their accounts, coins not in
 * accounts without coins. The products check the flags of a coin.
 */
export const mayLieIn = (account: string, currency: number): boolean =>
  isInternalCurrency(currency) ? (internalIn.get(currency)?.has(account) ?? false) : !withoutCoins.has(account);
