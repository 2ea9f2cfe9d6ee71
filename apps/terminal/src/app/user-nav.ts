import type { NavGroup } from './nav.js';

/** The account menu of the header. */
export const USER_GROUPS: readonly NavGroup[] = [
  {
    text: 'nav.assets',
    links: [
      { path: '/finance', text: 'nav.assets' },
      { path: '/rechargeMoney', text: 'nav.deposit' },
      { path: '/finanrec', text: 'nav.statement' },
      { path: '/transferLog', text: 'nav.transferLog' },
      { path: '/coinExchange', text: 'nav.convert' },
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
      { path: '/c2cOrder', text: 'nav.c2cOrders' },
      { path: '/manageList', text: 'nav.savingsOrders' },
      { path: '/manger', text: 'nav.running' },
      { path: '/account/aceite', text: 'nav.acceptors' },
      { path: '/integralExchange', text: 'nav.points', when: 'pointsMember' },
      { path: '/myLegalShops', text: 'nav.shop', when: 'seller' },
    ],
  },
  {
    text: 'nav.account',
    links: [
      { path: '/account/accountCenter', text: 'nav.accountCentre' },
      { path: '/account/accountSet', text: 'nav.accountSet' },
      { path: '/preferences', text: 'nav.preferences' },
      { path: '/authentication', text: 'nav.identity' },
      { path: '/userSetting', text: 'nav.payment' },
      { path: '/account/accountMessage', text: 'nav.messages' },
      { path: '/team', text: 'nav.team' },
      { path: '/complaints', text: 'nav.complaints' },
      { path: '/account/region', text: 'nav.region', when: 'agent' },
    ],
  },
];
