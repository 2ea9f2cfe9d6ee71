import { defineSetting } from './define.js';
import { feeLevels, readFeeLevels } from './fee-levels.js';
import { decimal, flag, text } from './value-types.js';

/*
 * Settings that more services read than the one that owns them (rules §15). A setting that only its owner reads is
 * declared in the owner.
 */

/** Owned by the gateway: deposits and withdrawals are open; closed, their calls answer `noopen` (api §1.4). */
export const IS_OPEN = defineSetting('is_open_CTbi', flag(), true, 'Deposits and withdrawals are open.', {
  guarded: true,
});

/** Owned by the gateway: calls behind the gate `trade` require a fund password (api §1.4). */
export const TRADE_NEEDS_FUND = defineSetting(
  'trade_needs_fund',
  flag(),
  true,
  'Trading, deals and withdrawals need a fund password to be set.',
  { guarded: true },
);

/** Owned by the gateway: calls behind the gate `trade` require a checked identity (api §1.4). */
export const TRADE_NEEDS_IDENTITY = defineSetting(
  'trade_needs_identity',
  flag(),
  true,
  'Trading, deals and withdrawals need a checked identity.',
  { guarded: true },
);

/** Owned by auth (rules §12.1). */
export const LOGIN_NEED_CODE = defineSetting('login_need_code', flag(), false, 'Every sign-in asks for a code.', {
  guarded: true,
});

/** Owned by auth (rules §12.2). */
export const INVITE_CODE_MUST = defineSetting(
  'invite_code_must',
  flag(),
  false,
  'Whoever registers must give an invite code.',
  { guarded: true },
);

/** A web address; empty: nothing is shown. */
const link = text({ max: 300, pattern: /^(https?:\/\/|mailto:|tel:|\/)\S*$/ });
/** Owned by the gateway, and shown by `/api/config`. */
export const SUPPORT_URL = defineSetting('support_url', link, '', 'Address of the support chat; empty: not shown.', {
  guarded: false,
});
export const SOURCE_URL = defineSetting(
  'source_url',
  link,
  '',
  'Address of the source code of what runs here; empty: not shown.',
  { guarded: false },
);
export const APP_IOS = defineSetting('app_ios', link, '', 'Address of the app for iOS; empty: not shown.', {
  guarded: false,
});
export const APP_ANDROID = defineSetting('app_android', link, '', 'Address of the app for Android; empty: not shown.', {
  guarded: false,
});
export const APP_MOBILE_PATH = defineSetting(
  'app_mobile_path',
  link,
  '',
  'Address that phones are sent to; empty: they stay here.',
  { guarded: false },
);

/** Owned by market-data: CNY of one USDT at scale 8, for shown conversions (rules §2). */
export const CNY_PER_USDT = defineSetting(
  'cny_per_usdt',
  decimal({ scale: 8, min: '3.25', max: '13' }),
  650_000_000n as never,
  'CNY of one USDT, for shown conversions.',
  { guarded: true },
);

/** Scale of `USD_PER_USDT`. */
export const USD_RATE_SCALE = 8;
/** Owned by market-data: US dollars of one USDT: limits in US dollars, and points for fees, go by it (api §6.18). */
export const USD_PER_USDT = defineSetting(
  'usd_per_usdt',
  decimal({ scale: USD_RATE_SCALE, min: '0.5', max: '2' }),
  100_000_000n as never,
  'US dollars of one USDT, by which limits in US dollars and fees are valued.',
  { guarded: true },
);

/** Owned by market-data: yen of one USDT, by which prices of C2C and shop ads are judged (rules §6). */
export const JPY_PER_USDT = defineSetting(
  'jpy_per_usdt',
  decimal({ scale: 8, min: '75', max: '300' }),
  15_000_000_000n as never,
  'Yen of one USDT, by which prices of C2C and shop ads are judged.',
  { guarded: true },
);
/** Scale of all `…_PER_USDT`. */
export const FIAT_RATE_SCALE = 8;

/** A rate that only shown conversions use. It has no seed: the currency is offered once operators state its rate. */
const shownRate = (key: string, name: string, max: string) =>
  defineSetting(
    key,
    decimal({ scale: FIAT_RATE_SCALE, min: '0', max }),
    0n as never,
    `${name} of one USDT, for shown conversions; 0: the currency is not offered.`,
    { guarded: true },
  );
/** Owned by market-data. */
export const EUR_PER_USDT = shownRate('eur_per_usdt', 'Euros', '2');
export const GBP_PER_USDT = shownRate('gbp_per_usdt', 'Pounds sterling', '2');
export const BRL_PER_USDT = shownRate('brl_per_usdt', 'Brazilian reals', '20');
export const TRY_PER_USDT = shownRate('try_per_usdt', 'Turkish lira', '200');

/** Owned by market-data, as the rates that it lowers: the fee levels of spot trading (rules §2). */
export const SPOT_FEE_LEVELS = defineSetting(
  'spot.fee_levels',
  feeLevels,
  readFeeLevels('50000:90:95 250000:80:90 1000000:65:80 5000000:50:70 20000000:25:60'),
  'Levels of spot fees, each as turnover of 30 days in USDT : percent of the maker rate : percent of the taker rate.',
  { guarded: true },
);
