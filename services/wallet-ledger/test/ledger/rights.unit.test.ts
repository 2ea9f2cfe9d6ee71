import { describe, expect, test } from '@jest/globals';
import { INTERNAL_CURRENCIES, ISSUER_NAMES, ISSUERS, parseLegAccount, type Issuer } from '@bourse/events';
import type { Units } from '@bourse/money';
import { houseOwner, type Leg, type LegAccount } from '../../src/ledger/domain/journal.js';
import { checkRights } from '../../src/ledger/domain/rights.js';
import { scope, USDT } from './ledger-suite.js';

const HERE = scope(0, 1);
const CURRENCY: Readonly<Record<string, number>> = {
  USDT,
  ...Object.fromEntries(Object.entries(INTERNAL_CURRENCIES).map(([name, { id }]) => [name, id])),
};
/** Users in the journals of the rules: u the caller, s, b, t, a others. */
const PEOPLE: Readonly<Record<string, string>> = { u: '300', s: '301', b: '302', t: '303', a: '304' };

/** A leg as the rules write it: `u.micro → u.micro*#micro:7 10 PTS`; USDT when it says nothing. */
function legOf(text: string): Leg {
  const [from = '', , to = '', amount = '1', currency = 'USDT'] = text.split(' ');
  return {
    from: accountOf(from),
    to: accountOf(to),
    currency: CURRENCY[currency] ?? 0,
    amount: BigInt(amount) as Units,
    fee: false,
  };
}
function accountOf(text: string): LegAccount {
  const dot = text.indexOf('.');
  const person = text.slice(0, dot);
  const { owner, account, hold } = parseLegAccount(person === 'h' ? text : `${PEOPLE[person] ?? ''}${text.slice(dot)}`);
  return { owner: owner === 'house' ? houseOwner(0) : owner, account, hold };
}
/** The ledger's verdict on one journal. */
const checked = (issuer: Issuer, legs: readonly string[], by: string | null): string =>
  checkRights(
    {
      issuer,
      onBehalfOf: by === null ? null : Number(PEOPLE[by]),
      journals: [{ causeType: 'x', causeId: '1', legs: legs.map(legOf) }],
    },
    HERE,
  )?.code ?? 'ok';

type Case = readonly [issuer: Issuer, what: string, by: string | null, legs: readonly string[]];

/** The journals of rules §2 to rules §11, as their services write them. */
const ALLOWED: readonly Case[] = [
  ['wallet-ledger', 'transfer (rules §8.2)', 'u', ['u.change → u.legal']],
  ['wallet-ledger', 'withdrawal submitted (rules §8.4)', 'u', ['u.change → u.change*#withdrawal:1']],
  ['wallet-ledger', 'withdrawal given back (rules §8.4)', null, ['u.change*#withdrawal:1 → u.change']],
  ['chain', 'deposit (rules §8.3)', null, ['h.outside → u.change']],
  ['chain', 'deposit below the minimum (rules §8.3)', null, ['h.outside → h.suspense']],
  ['chain', 'deposit out of suspense (rules §8.3)', null, ['h.suspense → u.change']],
  ['chain', 'deposit returned (rules §8.3)', null, ['h.suspense → h.outside', 'h.suspense → h.fees']],
  [
    'chain',
    'withdrawal done (rules §8.4)',
    null,
    ['u.change*#withdrawal:1 → h.outside', 'u.change*#withdrawal:1 → h.fees'],
  ],
  ['operator', 'adjustment up', null, ['h.capital → u.lever']],
  ['operator', 'adjustment down', null, ['u.legal → h.capital']],
  ['operator', 'capital in (rules §1)', null, ['h.outside → h.capital']],
  ['operator', 'capital out (rules §1)', null, ['h.capital → h.outside']],
  ['operator', 'capital on to a product (rules §1)', null, ['h.capital → h.micro']],
  ['operator', 'network fee out of fees', null, ['h.fees → h.outside']],
  ['house-purses', 'from a partition', null, ['h.micro → h.clearing']],
  ['house-purses', 'to a partition', null, ['h.clearing → h.micro']],
  ['seed', 'opening balance (rules §17)', null, ['h.outside → u.micro']],
  ['spot-matching', 'order submitted (rules §2)', 'u', ['u.change → u.change*#order:1']],
  [
    'spot-matching',
    'fill (rules §2)',
    null,
    [
      'b.change*#order:1 → s.change 100',
      's.change → h.fees 100',
      's.change*#order:2 → b.change 9',
      'b.change → h.fees 1',
      'b.change*#order:1 → b.change 5',
    ],
  ],
  [
    'spot-matching',
    'fill between partitions (rules §2)',
    null,
    ['b.change*#order:1 → h.clearing 9', 'h.clearing → b.change 9', 'b.change → h.fees 9'],
  ],
  ['spot-matching', 'fill of a version that paid fees out of the hold', null, ['b.change*#order:1 → h.fees']],
  ['spot-matching', 'rest of an order (rules §2)', null, ['u.change*#order:1 → u.change']],
  ['service-template', 'a box opens', 'u', ['u.change → u.change*#box:1']],
  ['service-template', 'a box closes', null, ['u.change*#box:1 → u.change']],
  ['lever-risk', 'market submitted (rules §3)', 'u', ['u.lever → u.lever*#lever:1', 'u.lever → h.fees']],
  ['lever-risk', 'transfer out of lever (rules §8.2)', 'u', ['u.lever → u.change']],
  ['lever-risk', 'a correction that takes from lever', null, ['u.lever → h.capital']],
  ['lever-risk', 'entrust opens (rules §3)', null, ['u.lever*#lever:1 → h.fees']],
  ['lever-risk', 'revoke (rules §3)', 'u', ['u.lever*#lever:1 → u.lever']],
  ['lever-risk', 'night (rules §3)', null, ['u.lever*#lever:1 → h.fees', 'u.lever → h.fees']],
  ['lever-risk', 'close with profit (rules §3)', null, ['u.lever*#lever:1 → u.lever', 'h.lever → u.lever']],
  [
    'lever-risk',
    'close with loss (rules §3)',
    null,
    ['u.lever*#lever:1 → u.lever', 'u.lever → h.lever', 'h.lever_fund → h.lever'],
  ],
  [
    'micro-settlement',
    'submit (rules §4)',
    'u',
    ['u.micro → u.micro*#micro:7', 'u.micro → h.fees', 'h.micro → h.micro*#micro:7'],
  ],
  [
    'micro-settlement',
    'submit from the vault (rules §5)',
    'u',
    ['u.insurance → u.insurance*#micro:7', 'u.insurance → h.fees', 'h.micro → h.micro*#micro:7'],
  ],
  ['micro-settlement', 'win (rules §4)', null, ['u.micro*#micro:7 → u.micro', 'h.micro*#micro:7 → u.micro']],
  ['micro-settlement', 'loss (rules §4)', null, ['u.micro*#micro:7 → h.micro', 'h.micro*#micro:7 → h.micro']],
  [
    'micro-settlement',
    'void (rules §4)',
    null,
    ['u.micro*#micro:7 → u.micro', 'h.micro*#micro:7 → h.micro', 'h.fees → u.micro'],
  ],
  ['micro-settlement', 'insurance bought (rules §5)', 'u', ['u.micro → u.insurance', 'u.micro → h.insurance']],
  ['micro-settlement', 'insurance claimed (rules §5)', null, ['u.insurance → u.micro', 'h.insurance → u.micro']],
  ['c2c-escrow', 'sell ad (rules §6)', 'u', ['u.legal → u.legal*#ad:1']],
  ['c2c-escrow', 'sell ad of a shop (rules §6)', 'u', ['u.merchant → u.merchant*#ad:1']],
  ['c2c-escrow', 'buy ad taken (rules §6)', 'u', ['u.legal → u.legal*#deal:1']],
  ['c2c-escrow', 'sell ad taken (rules §6)', null, ['s.legal*#ad:1 → s.legal*#deal:1']],
  ['c2c-escrow', 'release by the seller (rules §6)', 'u', ['u.legal*#deal:1 → b.legal', 'u.legal*#deal:1 → h.fees']],
  [
    'c2c-escrow',
    'release between partitions (rules §6)',
    null,
    ['s.legal*#deal:1 → h.clearing', 'h.clearing → b.legal'],
  ],
  ['c2c-escrow', 'cancel (rules §6)', null, ['s.legal*#deal:1 → s.legal']],
  ['c2c-escrow', 'appeal after a cancel (rules §6)', null, ['s.legal → s.legal*#deal:1']],
  ['c2c-escrow', 'deposit of a shop (rules §6)', 'u', ['u.merchant → u.merchant*#shop:1']],
  ['c2c-escrow', 'to the shop and back (rules §6)', 'u', ['u.legal → u.merchant', 'u.merchant → u.legal']],
  ['c2c-escrow', 'acceptor reserves (rules §7)', null, ['a.acceptor → a.acceptor*#acceptor:1 98']],
  [
    'c2c-escrow',
    'deposit confirmed (rules §7)',
    null,
    ['a.acceptor*#acceptor:1 → u.legal 98', 'h.quota → a.quota 100 CSH'],
  ],
  ['c2c-escrow', 'withdrawal, first hold (rules §7)', 'u', ['u.legal → u.legal*#acceptor:1 100']],
  ['c2c-escrow', 'withdrawal, second hold (rules §7)', null, ['a.quota → a.quota*#acceptor:1 98 CSH']],
  [
    'c2c-escrow',
    'withdrawal done (rules §7)',
    null,
    ['u.legal*#acceptor:1 → a.acceptor 100', 'a.quota*#acceptor:1 → h.quota 98 CSH'],
  ],
  ['c2c-escrow', 'acceptor posts coins (rules §7)', 'u', ['u.legal → u.acceptor', 'u.acceptor → u.legal']],
  [
    'c2c-escrow',
    'coins back out of what the acceptor has and the capital (rules §7)',
    null,
    ['h.capital → a.acceptor 70', 'a.acceptor → a.acceptor*#acceptor:1 100', 'h.quota → a.quota 98 CSH'],
  ],
  ['c2c-escrow', 'they go to the person (rules §7)', null, ['a.acceptor*#acceptor:1 → u.legal 100']],
  ['c2c-escrow', 'acceptor pays a debt (rules §7)', 'u', ['u.legal → u.acceptor', 'u.acceptor → h.capital']],
  ['c2c-escrow', 'a shop closes (rules §6)', 'u', ['u.merchant*#shop:1 → u.legal', 'u.merchant → u.legal']],
  ['savings', 'subscribe (rules §9)', 'u', ['u.change → u.savings*#savings:1', 'h.savings → h.savings*#savings:1']],
  ['savings', 'end (rules §9)', null, ['u.savings*#savings:1 → u.change', 'h.savings*#savings:1 → u.change']],
  [
    'savings',
    'cancel (rules §9)',
    null,
    ['u.savings*#savings:1 → u.change', 'u.savings*#savings:1 → h.fees', 'h.savings*#savings:1 → h.savings'],
  ],
  ['points', 'points of a day (rules §10)', null, ['h.points → u.points 1 PTS']],
  ['points', 'exchange (rules §10)', 'u', ['u.points → h.points 200 PTS', 'h.points → u.change 18']],
  ['points', 'rebate (rules §11)', null, ['h.fees → u.change']],
];

/** For each issuer and right, a case just outside of it. */
const REFUSED: readonly (readonly [...Case, code: string])[] = [
  ['wallet-ledger', "another person's account", 'u', ['s.change → u.change'], 'account_not_owned'],
  ['wallet-ledger', 'to another person', 'u', ['u.change → s.change'], 'debit_not_allowed'],
  ['wallet-ledger', 'a transfer that nobody asked for', null, ['u.change → u.legal'], 'account_not_owned'],
  ['wallet-ledger', 'a hold of another product', 'u', ['u.change → u.change*#order:1'], 'debit_not_allowed'],
  [
    'wallet-ledger',
    "a withdrawal's hold to somebody else",
    null,
    ['u.change*#withdrawal:1 → s.change'],
    'debit_not_allowed',
  ],
  ['wallet-ledger', "an order's hold", null, ['u.change*#order:1 → u.change'], 'debit_not_allowed'],
  ['wallet-ledger', "the house's money", 'u', ['h.capital → u.change'], 'debit_not_allowed'],
  ['chain', 'what a person has available', null, ['u.change → h.outside'], 'debit_not_allowed'],
  ['chain', "an order's hold", null, ['u.change*#order:1 → h.outside'], 'debit_not_allowed'],
  ['chain', 'a hold whose name only begins alike', null, ['u.change*#withdrawals:1 → h.outside'], 'debit_not_allowed'],
  ['chain', 'capital', null, ['h.outside → h.capital'], 'debit_not_allowed'],
  ['operator', 'from outside past capital', null, ['h.outside → u.change'], 'debit_not_allowed'],
  ['operator', 'from person to person', null, ['u.change → s.change'], 'debit_not_allowed'],
  ['operator', 'what is held', null, ['u.change*#order:1 → h.capital'], 'debit_not_allowed'],
  ['operator', 'suspense', null, ['h.suspense → h.capital'], 'debit_not_allowed'],
  ['operator', "a person's command", 'u', ['h.capital → u.change'], 'account_not_owned'],
  ['house-purses', 'to a person', null, ['h.micro → u.micro'], 'debit_not_allowed'],
  ['house-purses', 'out of suspense', null, ['h.suspense → h.clearing'], 'debit_not_allowed'],
  ['seed', 'out of capital', null, ['h.capital → u.change'], 'debit_not_allowed'],
  ['spot-matching', "another person's account in an order", 'u', ['s.change → s.change*#order:1'], 'account_not_owned'],
  [
    'spot-matching',
    "another order's hold in a person's command",
    'u',
    ['s.change*#order:1 → u.change'],
    'account_not_owned',
  ],
  ['spot-matching', 'a hold that is not of an order', 'u', ['u.change → u.change*#withdrawal:1'], 'debit_not_allowed'],
  ['spot-matching', 'the hold of a withdrawal', null, ['u.change*#withdrawal:1 → s.change'], 'debit_not_allowed'],
  ['spot-matching', 'available money', null, ['u.change → s.change'], 'debit_not_allowed'],
  ['spot-matching', 'a fee that was not credited', null, ['u.change → h.fees'], 'debit_not_allowed'],
  [
    'spot-matching',
    'a fee beyond what was credited',
    null,
    ['b.change*#order:1 → s.change 9', 's.change → h.fees 10'],
    'debit_not_allowed',
  ],
  [
    'spot-matching',
    'one credit for two fees',
    null,
    ['b.change*#order:1 → s.change 9', 's.change → h.fees 9', 's.change → h.fees 1'],
    'debit_not_allowed',
  ],
  ['spot-matching', 'another account', 'u', ['u.legal → u.legal*#order:1'], 'debit_not_allowed'],
  ['lever-risk', "another person's margin", 'u', ['s.lever → s.lever*#lever:1'], 'account_not_owned'],
  ['lever-risk', 'a profit that a person asks for', 'u', ['h.lever → u.lever'], 'account_not_owned'],
  ['lever-risk', 'the fund to a person', null, ['h.lever_fund → u.lever'], 'debit_not_allowed'],
  ['lever-risk', 'out of lever, asked for by nobody', null, ['u.lever → u.change'], 'debit_not_allowed'],
  ['wallet-ledger', 'out of lever, past the judge of risk', 'u', ['u.lever → u.change'], 'debit_not_allowed'],
  ['operator', 'out of lever, past the judge of risk', null, ['u.lever → h.capital'], 'debit_not_allowed'],
  ['micro-settlement', "another house account in a person's command", 'u', ['h.fees → u.micro'], 'account_not_owned'],
  ['micro-settlement', 'a win that a person asks for', 'u', ['h.micro*#micro:7 → u.micro'], 'account_not_owned'],
  ['micro-settlement', 'a reserve that goes to a person', 'u', ['h.micro → u.micro'], 'debit_not_allowed'],
  ['micro-settlement', 'the reserve of another product', 'u', ['h.micro → h.micro*#savings:1'], 'debit_not_allowed'],
  ['micro-settlement', 'a vault of another person', 'u', ['u.micro → s.insurance'], 'debit_not_allowed'],
  ['c2c-escrow', "another person's coins", 'u', ['s.legal → s.legal*#ad:1'], 'account_not_owned'],
  [
    'c2c-escrow',
    "another person's escrow in a person's command",
    'u',
    ['s.legal*#deal:1 → u.legal'],
    'account_not_owned',
  ],
  ['c2c-escrow', 'free coins to another person', null, ['s.legal → b.legal'], 'debit_not_allowed'],
  ['c2c-escrow', 'capital to a person', null, ['h.capital → u.legal'], 'debit_not_allowed'],
  ['c2c-escrow', 'capital that an acceptor asks for', 'u', ['h.capital → u.acceptor'], 'account_not_owned'],
  ['c2c-escrow', 'quota as a coin', null, ['h.quota → a.quota 1 USDT'], 'currency_misplaced'],
  ['c2c-escrow', 'cash as a coin', null, ['a.acceptor*#acceptor:1 → u.legal 1 CSH'], 'currency_misplaced'],
  [
    'c2c-escrow',
    'quota from one acceptor to another',
    null,
    ['a.quota*#acceptor:1 → b.quota 1 CSH'],
    'debit_not_allowed',
  ],
  ['savings', 'a term that another person pays', 'u', ['s.change → s.savings*#savings:1'], 'account_not_owned'],
  ['savings', 'profit without a term', 'u', ['h.savings → u.change'], 'debit_not_allowed'],
  ['savings', 'principal to another person', null, ['u.savings*#savings:1 → s.change'], 'debit_not_allowed'],
  ['points', 'coins for another person', 'u', ['h.points → s.change'], 'debit_not_allowed'],
  ['points', "another person's points", 'u', ['s.points → h.points 1 PTS'], 'account_not_owned'],
  ['points', 'points as a coin', null, ['h.points → u.change 1 PTS'], 'currency_misplaced'],
  ['points', 'a rebate that a person asks for', 'u', ['h.fees → u.change'], 'account_not_owned'],
  ['service-template', "another person's box", 'u', ['s.change → s.change*#box:1'], 'account_not_owned'],
  ['market-data', 'anything', null, ['h.fees → u.change'], 'debit_not_allowed'],
  ['auth', 'anything', 'u', ['u.change → u.legal'], 'debit_not_allowed'],
];

describe('rights are rows', () => {
  test.each(ALLOWED)('%s: %s [LEDGER-052]', (issuer, _, by, legs) => {
    expect(checked(issuer, legs, by)).toBe('ok');
  });

  test.each(REFUSED)('%s may not: %s [LEDGER-052]', (issuer, _, by, legs, code) => {
    expect(checked(issuer, legs, by)).toBe(code);
  });

  test('every row is used by a journal of the rules, and every issuer is refused something [LEDGER-052]', () => {
    expect(new Set(REFUSED.map(([issuer]) => issuer))).toEqual(new Set(ISSUER_NAMES));
    for (const issuer of ISSUER_NAMES) {
      const used = new Set(
        ALLOWED.filter(([of]) => of === issuer).flatMap(([, , , legs]) =>
          legs
            .map(legOf)
            .map(({ from }) => `${from.account}${from.hold === null ? '' : `*#${from.hold.split(':')[0] ?? ''}`}`),
        ),
      );
      const unused = ISSUERS[issuer].debits
        .map((right) => `${right.account}${right.state === 'held' && 'hold' in right ? `*#${right.hold}` : ''}`)
        .filter((name) => !used.has(name) && !(ALIKE[issuer]?.includes(name) ?? false));
      expect({ issuer, unused }).toEqual({ issuer, unused: [] });
    }
  });

  test('an account that there is not, or of another owner, is none [LEDGER-053]', () => {
    expect(checked('seed', ['h.outside → u.chnage'], null)).toBe('account_unknown');
    expect(checked('seed', ['h.outside → h.change'], null)).toBe('account_unknown');
  });
});

/** Rows alike for several accounts, of which the journals above show one. */
const ALIKE: Partial<Record<Issuer, readonly string[]>> = {
  'wallet-ledger': ['legal', 'micro'],
  operator: ['change', 'legal', 'micro', 'h.lever', 'h.lever_fund', 'h.micro', 'h.savings', 'h.insurance', 'h.points'],
  'house-purses': ['h.fees', 'h.capital', 'h.lever', 'h.lever_fund', 'h.savings', 'h.insurance', 'h.points'],
  seed: ['h.quota'],
  'micro-settlement': ['insurance*#micro'],
  'c2c-escrow': ['legal*#ad', 'merchant*#ad', 'merchant*#deal', 'merchant*#shop'],
};
