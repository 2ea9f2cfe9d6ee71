import { accountsWhere, type AccountName } from './accounts.js';

/**
 * The allowed destinations of money. `anywhere`: any account that the journal names. `own`: another account of the same
 * owner, available. `hold`: a hold of the same owner whose name begins with the prefix, of this account or the named
 * one. `accounts`: the available part of these accounts, of any owner; `credited`: no more than the same journal
 * has credited to the paying account (the fee of a fill, rules §2).
 */
export type Destination =
  | 'anywhere'
  | 'own'
  | { readonly hold: string; readonly account?: AccountName }
  | { readonly accounts: readonly AccountName[]; readonly credited?: true };

/**
 * One right to debit: the available part of an account, or its holds whose name begins with the prefix.
 *
 * `whose`: `caller`, only the person on whose behalf the command is given; `any`, every person whom the service names
 * when it acts by itself, and the caller in a command on a caller's behalf; `house`, the house account, in commands on
 * no one's behalf, unless `forCaller` lets a person's command move it too: then the money goes to the house or to that
 * person.
 */
export interface DebitRight {
  readonly account: AccountName;
  readonly state: 'available' | 'held';
  /** Prefix of the holds it may take from, without the colon; of what is held only. */
  readonly hold?: string;
  readonly whose: 'caller' | 'any' | 'house';
  readonly to: Destination;
  readonly forCaller?: true;
}

/** The rights of one issuer. The manifest of a service names the issuers in whose name it sends. */
export interface IssuerRights {
  readonly debits: readonly DebitRight[];
}

type From = Pick<DebitRight, 'whose' | 'account' | 'state' | 'hold'>;
const free = (whose: DebitRight['whose'], account: AccountName): From => ({ whose, account, state: 'available' });
const heldUnder = (hold: string, whose: DebitRight['whose'], account: AccountName): From => ({
  whose,
  account,
  state: 'held',
  hold,
});
const may = (from: From, to: Destination): DebitRight => ({ ...from, to });
const mayForCaller = (from: From, to: Destination): DebitRight => ({ ...from, to, forCaller: true });
const each = <T>(accounts: readonly T[], rights: (account: T) => readonly DebitRight[]): DebitRight[] =>
  accounts.flatMap(rights);

/** A hold from its opening to its end: taken for the caller, spent or released by the service. */
const reserve = (hold: string, account: AccountName): DebitRight[] => [
  may(free('caller', account), { hold }),
  may(heldUnder(hold, 'any', account), 'anywhere'),
];

const TRANSFERS = accountsWhere(({ transfers }) => transfers);
/** Lever risk is decided in one place: money leaves lever only in the name of lever-risk (architecture §7). */
const FREE_TRANSFERS = TRANSFERS.filter((account) => account !== 'lever');
const FUNDED = accountsWhere(({ funded }) => funded);
const EVENED = accountsWhere(({ evened }) => evened);

/**
 * The debits that each issuer may make (rules §2 to §11): what no row allows is refused. Keyed by the name in which a
 * command is given; the five products that are to come have their rows as the rules write their journals.
 */
export const ISSUERS = {
  'wallet-ledger': {
    debits: [
      // Transfers between accounts of the same owner, and withdrawals.
      ...each(FREE_TRANSFERS, (account) => [may(free('caller', account), 'own')]),
      may(free('caller', 'change'), { hold: 'withdrawal' }),
      may(heldUnder('withdrawal', 'any', 'change'), 'own'),
    ],
  },
  'spot-matching': {
    debits: [
      ...reserve('order', 'change'),
      may(free('any', 'change'), { accounts: ['h.fees'], credited: true }),
      may(free('house', 'h.clearing'), 'anywhere'),
    ],
  },
  /** Deposits and withdrawals as the chains have carried them out. */
  chain: {
    debits: [
      may(free('house', 'h.outside'), { accounts: ['change', 'h.suspense'] }),
      may(free('house', 'h.suspense'), { accounts: ['change', 'h.outside', 'h.fees'] }),
      may(heldUnder('withdrawal', 'any', 'change'), { accounts: ['h.outside', 'h.fees'] }),
    ],
  },
  /** Adjustments that two operators have decided (api §2.12), and network fees, which the house bears. */
  operator: {
    debits: [
      ...each(FREE_TRANSFERS, (account) => [may(free('any', account), { accounts: ['h.capital'] })]),
      ...each(FUNDED, (account) => [may(free('house', account), { accounts: FUNDED })]),
      may(free('house', 'h.capital'), { accounts: [...TRANSFERS, 'h.outside'] }),
      may(free('house', 'h.outside'), { accounts: ['h.capital'] }),
      may(free('house', 'h.fees'), { accounts: ['h.outside'] }),
    ],
  },
  /** The ledger evens out what the house has in its partitions, through clearing. */
  'house-purses': {
    debits: [
      ...each(EVENED, (account) => [may(free('house', account), { accounts: ['h.clearing'] })]),
      may(free('house', 'h.clearing'), { accounts: EVENED }),
    ],
  },
  /** Balances of a fresh demo install and of people for load tests (rules §17). */
  seed: {
    debits: [may(free('house', 'h.outside'), 'anywhere'), may(free('house', 'h.quota'), 'anywhere')],
  },
  /** Leverage (rules §3). */
  'lever-risk': {
    debits: [
      ...reserve('lever', 'lever'),
      may(free('caller', 'lever'), 'own'),
      may(free('any', 'lever'), { accounts: ['h.fees', 'h.lever', 'h.capital'] }),
      may(free('house', 'h.lever'), { accounts: ['lever'] }),
      may(free('house', 'h.lever_fund'), { accounts: ['h.lever'] }),
    ],
  },
  /** Seconds contracts and insurance on them (rules §4, §5). */
  'micro-settlement': {
    debits: [
      ...each(['micro', 'insurance'] as const, (account) => [
        ...reserve('micro', account),
        may(free('caller', account), { accounts: ['h.fees'] }),
      ]),
      mayForCaller(free('house', 'h.micro'), { hold: 'micro' }),
      may(heldUnder('micro', 'house', 'h.micro'), { accounts: ['micro', 'insurance', 'h.micro'] }),
      may(free('house', 'h.fees'), { accounts: ['micro', 'insurance'] }),
      may(free('caller', 'micro'), { accounts: ['insurance', 'h.insurance'] }),
      may(free('any', 'insurance'), 'own'),
      may(free('house', 'h.insurance'), { accounts: ['micro'] }),
    ],
  },
  /** C2C, fiat shops and acceptors (rules §6, §7). */
  'c2c-escrow': {
    debits: [
      ...each(['legal', 'merchant'] as const, (account) => [
        ...reserve('ad', account),
        // An appeal after a cancel by deadline holds the seller's coins again without an act of the seller.
        may(free('any', account), { hold: 'deal' }),
        may(heldUnder('deal', 'any', account), 'anywhere'),
      ]),
      ...reserve('shop', 'merchant'),
      may(free('caller', 'legal'), { accounts: ['merchant', 'acceptor'] }),
      may(free('caller', 'merchant'), { accounts: ['legal'] }),
      may(free('caller', 'acceptor'), { accounts: ['legal', 'h.capital'] }),
      // The amount that an acceptor owes a person and does not have (rules §7).
      may(free('house', 'h.capital'), { accounts: ['acceptor'] }),
      may(free('house', 'h.clearing'), { accounts: ['legal', 'merchant', 'acceptor'] }),
      ...reserve('acceptor', 'legal'),
      may(free('any', 'acceptor'), { hold: 'acceptor' }),
      may(heldUnder('acceptor', 'any', 'acceptor'), 'anywhere'),
      may(free('any', 'quota'), { hold: 'acceptor' }),
      may(heldUnder('acceptor', 'any', 'quota'), { accounts: ['quota', 'h.quota'] }),
      may(free('house', 'h.quota'), { accounts: ['quota'] }),
    ],
  },
  /** Savings (rules §9). */
  savings: {
    debits: [
      may(free('caller', 'change'), { hold: 'savings', account: 'savings' }),
      may(heldUnder('savings', 'any', 'savings'), { accounts: ['change', 'h.fees'] }),
      mayForCaller(free('house', 'h.savings'), { hold: 'savings' }),
      may(heldUnder('savings', 'house', 'h.savings'), { accounts: ['change', 'h.savings'] }),
    ],
  },
  /** Points, and rebates of the team (rules §10, §11). */
  points: {
    debits: [
      may(free('caller', 'points'), { accounts: ['h.points'] }),
      mayForCaller(free('house', 'h.points'), { accounts: ['points', 'change'] }),
      may(free('house', 'h.fees'), { accounts: ['change'] }),
    ],
  },
  /** The service of examples/, which no production exchange runs: no service there can authenticate as it. */
  'service-template': {
    debits: [may(free('caller', 'change'), { hold: 'box' }), may(heldUnder('box', 'any', 'change'), 'own')],
  },
  // Issuers in commands of earlier versions; they have no rights.
  'market-data': { debits: [] },
  auth: { debits: [] },
} as const satisfies Record<string, IssuerRights>;

export type Issuer = keyof typeof ISSUERS;
export const ISSUER_NAMES = Object.keys(ISSUERS) as [Issuer, ...Issuer[]];
