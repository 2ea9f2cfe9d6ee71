import { expect, test } from '@jest/globals';
import { FIRST_PRICES, SEED_CURRENCIES } from './catalog.js';
import {
  DEMO_FUND_PASSWORD,
  DEMO_HOUSE,
  DEMO_OPERATORS,
  DEMO_PASSWORD,
  DEMO_PEOPLE,
  DEMO_POINTS_PROGRAM,
} from './demo.js';

/* What a fresh install begins with, word by word as rules §17 has it: installs are made of these constants. */

const certified = { certified: true, fundPassword: true, payment: true };
const trader = {
  ...{ 'change.USDT': '100000', 'change.BTC': '2', 'change.ETH': '20', 'change.XRP': '10000' },
  ...{ 'legal.USDT': '20000', 'lever.USDT': '10000', 'micro.USDT': '5000', 'micro.HAP': '5000' },
};

test('people, operators, house and third party of a fresh install are those of the rules [COVER-023]', () => {
  const people = [
    { id: 100001, email: 'trader1@demo.bourse', ...certified, bankRegion: 'Lisbon/Alfama', balances: trader },
    {
      ...{ id: 100002, email: 'trader2@demo.bourse', ...certified },
      ...{ invitedBy: 100001, bankRegion: 'Lisbon/Belém', balances: trader },
    },
    {
      ...{ id: 100003, email: 'trader3@demo.bourse', ...certified, invitedBy: 100002, balances: trader },
      phone: { areaCode: '1', number: '5550100003' },
    },
    {
      ...{ id: 100010, email: 'newbie@demo.bourse', certified: false, fundPassword: false, payment: false },
      balances: { 'change.USDT': '1000' },
    },
    {
      ...{ id: 100011, email: 'nofund@demo.bourse', certified: true, fundPassword: false, payment: false },
      balances: { 'change.USDT': '1000' },
    },
    {
      ...{ id: 100012, email: 'nopay@demo.bourse', certified: true, fundPassword: true, payment: false },
      balances: { 'legal.USDT': '1000' },
    },
    { id: 100020, email: 'seller@demo.bourse', ...certified, isSeller: true },
    {
      ...{ id: 100030, email: 'acceptor@demo.bourse', ...certified, isAcceptor: true },
      balances: { 'acceptor.USDT': '50000' },
    },
    { id: 100040, email: 'agent@demo.bourse', ...certified, region: 'Lisbon', balances: {} },
    { id: 100090, cannotSignIn: true },
    { id: 100091, cannotSignIn: true },
  ];
  expect(DEMO_PEOPLE).toMatchObject(people);
  expect(DEMO_PEOPLE.find(({ id }) => id === 100020)?.balances['merchant.USDT']).toBe('20000');
  expect([DEMO_PASSWORD, DEMO_FUND_PASSWORD]).toEqual(['Harbor-2468', 'fund66']);
  expect(Object.fromEntries(DEMO_OPERATORS.map(({ username, roles }) => [username, roles.join()]))).toEqual({
    ...{
      operator: 'admin',
      operator2: 'admin',
      operator3: 'admin',
      finance1: 'finance',
      finance2: 'finance',
      support1: 'support',
    },
  });
  expect(DEMO_HOUSE).toEqual({
    'h.capital': { USDT: '10000000' },
    'h.lever': { USDT: '2000000' },
    'h.lever_fund': { USDT: '500000' },
    'h.micro': { USDT: '500000', HAP: '500000' },
    'h.savings': { USDT: '100000', BTC: '2' },
    'h.insurance': { HAP: '50000' },
    'h.points': { HAP: '100000' },
  });
  expect(DEMO_POINTS_PROGRAM).toMatchObject({ account: 'jcdemo', password: 'jcdemo1', points: '1000', free: '500' });
});

test('first prices are those of the rules, and the house accounts hold as much of each coin [COVER-023]', () => {
  expect(FIRST_PRICES).toEqual({
    ...{ 'BTC/USDT': '56670.02', 'ETH/USDT': '4173.46', 'LTC/USDT': '377.80', 'XRP/USDT': '1.4788' },
    ...{ 'DOGE/USDT': '0.49353', 'ADA/USDT': '1.7633' },
    ...{ 'ETH/BTC': '0.073637', 'LTC/BTC': '0.006666', 'XRP/BTC': '0.00002609' },
  });
  for (const { balances } of DEMO_PEOPLE.filter(({ cannotSignIn }) => cannotSignIn)) {
    expect(balances['change.USDT']).toBe('10000000');
    for (const coin of ['BTC', 'ETH', 'XRP', 'LTC', 'DOGE', 'ADA']) {
      const worth = Number(balances[`change.${coin}`]) * Number(FIRST_PRICES[`${coin}/USDT`]);
      expect([coin, Math.abs(worth - 10_000_000) < 1_000]).toEqual([coin, true]);
    }
  }
});

test('every currency has 8 decimals [COVER-023]', () => {
  expect(SEED_CURRENCIES.filter(({ scale }) => scale !== 8).map(({ name }) => name)).toEqual([]);
});
