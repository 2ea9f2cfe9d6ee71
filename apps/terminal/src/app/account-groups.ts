import type { NavGroup } from './nav.js';

/** The menu beside account pages; each page in it shows it. */
export const ACCOUNT_GROUPS: readonly NavGroup[] = [
  {
    text: 'nav.account',
    links: [
      { path: '/account/accountCenter', text: 'nav.accountCentre' },
      { path: '/account/firstSteps', text: 'nav.firstSteps', when: 'newcomer' },
      { path: '/account/accountSet', text: 'nav.accountSet' },
      { path: '/account/authentication', text: 'nav.identity' },
      { path: '/bindmpwd', text: 'nav.fundPassword' },
      { path: '/preferences', text: 'nav.preferences' },
      { path: '/account/accountMessage', text: 'nav.messages' },
      { path: '/complaints', text: 'nav.complaints' },
      { path: '/account/region', text: 'nav.region', when: 'agent' },
    ],
  },
  {
    text: 'nav.assets',
    links: [
      { path: '/finance', text: 'nav.assets' },
      { path: '/account/rechargeMoney', text: 'nav.deposit' },
      { path: '/account/withdraw', text: 'nav.withdraw' },
      { path: '/withdraw_address', text: 'nav.withdrawAddress' },
      { path: '/transfer', text: 'nav.transfer' },
      { path: '/account/coinExchange', text: 'nav.convert' },
    ],
  },
  {
    text: 'nav.records',
    links: [
      { path: '/account/coinRecord', text: 'nav.coinRecord' },
      { path: '/finanrec', text: 'nav.statement' },
      { path: '/account/transferLog', text: 'nav.transferLog' },
      { path: '/solvency', text: 'nav.solvency' },
      { path: '/fairness', text: 'nav.fairness' },
    ],
  },
  {
    text: 'nav.trade',
    links: [
      { path: '/account/accountEntrust', text: 'nav.entrust' },
      { path: '/leverList', text: 'nav.leverList' },
      { path: '/allTransaction', text: 'nav.allPositions' },
      { path: '/microInsurance', text: 'nav.insurance' },
      { path: '/manageList', text: 'nav.savingsOrders' },
      { path: '/manger', text: 'nav.running' },
      { path: '/account/fees', text: 'nav.fees' },
    ],
  },
  {
    text: 'nav.c2c',
    links: [
      { path: '/account/aceite', text: 'nav.acceptors' },
      { path: '/myLegalShops', text: 'nav.shop', when: 'seller' },
      { path: '/userSetting', text: 'nav.payment' },
      { path: '/account/bankAuthentication', text: 'nav.bank' },
    ],
  },
  {
    text: 'nav.rewards',
    links: [
      { path: '/account/tree', text: 'nav.team' },
      { path: '/account/profit', text: 'nav.profit' },
      { path: '/account/integralExchange', text: 'nav.points', when: 'pointsMember' },
    ],
  },
];
