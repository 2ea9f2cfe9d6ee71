/** Units of the numbers of settings; the text of each is `setting.unit.<unit>`. */
const UNITS = ['percent', 'USD', 'USDT', 'minutes', 'hours', 'days', 'perMinute', 'times'] as const;
export type Unit = (typeof UNITS)[number];

/** By key, or by the beginning of keys (with a dot at its end). Plain counts have no unit. */
const BY_KEY: Readonly<Record<string, Unit>> = {
  acceptor_auto_minutes: 'minutes',
  acceptor_deposit_hours: 'hours',
  acceptor_dispute_hours: 'hours',
  acceptor_object_minutes: 'minutes',
  acceptor_person_share: 'percent',
  acceptor_silent_minutes: 'minutes',
  address_wait: 'hours',
  auto: 'USD',
  'c2c.appeal_due': 'hours',
  'c2c.appeal_two_person': 'USDT',
  'c2c.chat_keep_days': 'days',
  'c2c.chat_open_days': 'days',
  'c2c.chat_per_minute': 'perMinute',
  'c2c.min_value': 'USDT',
  'c2c.price_band': 'percent',
  c2c_sell_fee: 'percent',
  'complaints.reopen_days': 'days',
  day: 'USD',
  deposit_cancel: 'percent',
  deposit_person_share: 'percent',
  'feed.max_deviation': 'percent',
  jc_exchange_fee: 'percent',
  jc_price: 'USDT',
  jc_price_difference: 'USDT',
  'lever.burst_rate': 'percent',
  'lever.house_cover': 'percent',
  'lever.min_value': 'USDT',
  'lever.muit': 'times',
  'lever.open_rate': 'percent',
  'lever.overnight': 'percent',
  'lever.spread': 'percent',
  'lever.trade_fee': 'percent',
  'lever.transfer_rate': 'percent',
  micro_tick_days: 'days',
  micro_trade_fee: 'percent',
  'notice.days': 'days',
  'shop_deposit.': 'USDT',
  'shop_limit.': 'USDT',
  team_rebate_1: 'percent',
  team_rebate_2: 'percent',
  team_rebate_3: 'percent',
  two_person: 'USD',
};
/** Keys that name the coin or the money of a state that they count. */
const OF_COIN = /^(?:micro_(?:min|max|numbers)\.([A-Z]+)|([a-z]{3})_per_usdt)$/;

/** The unit of a setting's numbers, or the coin that the key names; undefined: a count of things, or a text. */
export function unitOf(key: string): { readonly unit: Unit } | { readonly coin: string } | undefined {
  const [, coin, fiat] = OF_COIN.exec(key) ?? [];
  if (coin !== undefined || fiat !== undefined) return { coin: coin ?? fiat!.toUpperCase() };
  const unit = BY_KEY[key] ?? BY_KEY[key.slice(0, key.indexOf('.') + 1)];
  return unit && { unit };
}
