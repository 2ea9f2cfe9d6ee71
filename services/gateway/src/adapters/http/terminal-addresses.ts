/** Addresses of the terminal (api §5; `/bindPhone` beside `/bindEmail`; `/solvency`, what the exchange proves to everyone). An address that is none of these answers the same page with 404. */
const OPEN = ['/', '/allmarket', '/legalTrade', '/dealCenter', '/leverdealCenter', '/secondsOrder', '/manage', '/components/login', '/register', '/forgetPwd', '/resetPwd', '/policy', '/noticeList', '/noticeDetail', '/integralExchanges', '/solvency'];
const SIGNED_IN = [
  '/dealFinance', '/userSetting', '/team', '/msgList', '/msgDetail', '/transfer', '/bindmpwd', '/setCash', '/bindInfo', '/bindEmail', '/bindPhone', '/transferLever', '/transferLegal', '/transferMicro', '/transfermicro',
  '/transferRecord', '/leverTransactions', '/leverList', '/allTransaction', '/lever_manger', '/leverRecord', '/manger', '/finanrec', '/manageList', '/withdraw_address', '/rechargeMoney', '/transferLog',
  '/authentication', '/accountSet', '/integralExchange', '/c2cOrder', '/c2cRelease', '/c2cTrade', '/c2cDetail', '/c2cRecord', '/myLegalShops',
];
const ACCOUNT = ['accountCenter', 'accountEntrust', 'accountMessage', 'accountSet', 'recharge', 'coinRecord', 'rechargeMoney', 'aceite', 'region', 'chargeRecord', 'transferLog', 'authentication', 'bankAuthentication', 'integralExchange', 'coinExchange', 'tree', 'profit'];
const NEW_ACCOUNT = ['finance', 'dealFinance', 'transfer', 'lever', 'legal', 'micro', 'legalAccount', 'dealAccount', 'microAccount', 'transferLegal', 'transferLever', 'transferMicro', 'transfermicro'];

export const TERMINAL_ADDRESSES: ReadonlySet<string> = new Set([
  ...OPEN, ...SIGNED_IN, '/account', '/new_account', ...ACCOUNT.flatMap((child) => [`/account/${child}`, `/${child}`]), ...NEW_ACCOUNT.flatMap((child) => [`/new_account/${child}`, `/${child}`]),
]);
