import type { Language } from '@bourse/contract';
import { PERCENT_SCALE } from '@bourse/formulas';
import { formatTrimmed, toUnits } from '@bourse/money';
import { PRICE_SCALE, type Ad } from '../domain/ad.js';
import type { Deal } from '../domain/deal.js';

/* Rows of `ad` and `deal`: amounts as texts, times in ms. */

export const toTimestamp = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;
const toMs = (column: string): string => `round(extract(epoch from ${column}) * 1000)::bigint::text`;
const selectColumns = (
  alias: string,
  texts: readonly string[],
  plain: readonly string[],
  times: readonly string[],
): string =>
  [
    ...texts.map((name) => `${alias}.${name}::text`),
    ...plain.map((name) => `${alias}.${name}`),
    ...times.map((name) => `${toMs(`${alias}.${name}`)} as ${name}`),
  ].join(', ');

type Texts<K extends string> = Readonly<Record<K, string>>;
const AD_TEXTS = [
  ...(['id', 'owner_id', 'price', 'total', 'min_number', 'max_number', 'fee_rate'] as const),
  ...(['surplus', 'surplus_fee', 'finished', 'returned'] as const),
] as const;
const AD_PLAIN = [
  ...['kind', 'type', 'owner_account', 'owner_name', 'level', 'currency_id', 'currency_name', 'scale', 'coin_code'],
  ...['fiat_scale', 'way', 'limit_minutes', 'state', 'open_deals'],
];
/** Columns of an ad with the alias `a`. */
export const AD_COLUMNS = selectColumns('a', [...AD_TEXTS, 'shop_id'], AD_PLAIN, ['created_at']);

export type AdRow = Texts<(typeof AD_TEXTS)[number] | 'created_at'> & {
  readonly shop_id: string | null;
  readonly kind: Ad['kind'];
  readonly type: Ad['type'];
  readonly owner_account: Ad['ownerAccount'];
  readonly owner_name: string;
  readonly level: Ad['level'];
  readonly currency_id: number;
  readonly currency_name: string;
  readonly scale: number;
  readonly coin_code: Ad['coinCode'];
  readonly fiat_scale: number;
  readonly way: Ad['way'];
  readonly limit_minutes: number;
  readonly state: Ad['state'];
  readonly open_deals: number;
};

export function toAd(row: AdRow): Ad {
  const amount = (text: string): bigint => toUnits(text, row.scale);
  return {
    id: Number(row.id),
    kind: row.kind,
    type: row.type,
    ownerId: Number(row.owner_id),
    ownerAccount: row.owner_account,
    ownerName: row.owner_name,
    shopId: numberOrNull(row.shop_id),
    level: row.level,
    currencyId: row.currency_id,
    currencyName: row.currency_name,
    scale: row.scale,
    coinCode: row.coin_code,
    fiatScale: row.fiat_scale,
    price: toUnits(row.price, PRICE_SCALE),
    way: row.way,
    total: amount(row.total),
    min: amount(row.min_number),
    max: amount(row.max_number),
    feeRate: toUnits(row.fee_rate, PERCENT_SCALE),
    limitMinutes: row.limit_minutes,
    createdAt: Number(row.created_at),
    state: row.state,
    surplus: amount(row.surplus),
    surplusFee: amount(row.surplus_fee),
    finished: amount(row.finished),
    returned: amount(row.returned),
    open: row.open_deals,
  };
}

/** The columns of an ad that change, in the order of `save`. */
export const toAdChanges = (ad: Ad): readonly unknown[] => [
  ad.state,
  ...[ad.surplus, ad.surplusFee, ad.finished, ad.returned].map((units) => formatTrimmed(units, ad.scale)),
  ad.open,
];
/** Every column of an ad by name. */
export function toAdValues(ad: Ad): Readonly<Record<string, unknown>> {
  const amount = (units: bigint): string => formatTrimmed(units, ad.scale);
  const [state, surplus, surplusFee, finished, returned, open] = toAdChanges(ad);
  return {
    ...{ id: ad.id, kind: ad.kind, type: ad.type, owner_id: ad.ownerId, owner_account: ad.ownerAccount },
    ...{ owner_name: ad.ownerName, shop_id: ad.shopId, level: ad.level, currency_id: ad.currencyId },
    ...{ currency_name: ad.currencyName, scale: ad.scale, coin_code: ad.coinCode, fiat_scale: ad.fiatScale },
    ...{ price: formatTrimmed(ad.price, PRICE_SCALE), way: ad.way, total: amount(ad.total) },
    ...{ min_number: amount(ad.min), max_number: amount(ad.max), fee_rate: formatTrimmed(ad.feeRate, PERCENT_SCALE) },
    ...{ limit_minutes: ad.limitMinutes, created_at: new Date(ad.createdAt), state, surplus },
    ...{ surplus_fee: surplusFee, finished, returned, open_deals: open },
  };
}

const DEAL_TEXTS = ['id', 'ad_id', 'owner_id', 'taker_id', 'price', 'number', 'money', 'fee'] as const;
const DEAL_PLAIN = [
  ...['kind', 'type', 'owner_name', 'taker_name', 'owner_lang', 'taker_lang', 'seller_account', 'currency_id'],
  ...['currency_name', 'scale', 'coin_code', 'fiat_scale', 'way', 'in_ad', 'state', 'appeal', 'appeal_by'],
  ...['cancelled_by', 'proof', 'facts'],
];
const DEAL_TIMES = ['created_at', 'deadline', 'paid_at', 'silent_since', 'ended_at', 'expired_at', 'decision_due'];
/** Columns of a deal with the alias `d`. */
export const DEAL_COLUMNS = `${selectColumns('d', [...DEAL_TEXTS, 'shop_id'], DEAL_PLAIN, DEAL_TIMES)},
  (select count(*) from appeal where deal_id = d.id and opened_by = 'buyer' and state <> 'waiting')::int
    as buyer_appeals,
  (select count(*) from appeal where deal_id = d.id and opened_by = 'seller' and state <> 'waiting')::int
    as seller_appeals,
  exists (select from appeal where deal_id = d.id and proposed is not null) as is_proposed`;

export type DealRow = Texts<(typeof DEAL_TEXTS)[number] | 'created_at' | 'deadline'> & {
  readonly shop_id: string | null;
  readonly kind: Deal['kind'];
  readonly type: Deal['type'];
  readonly owner_name: string;
  readonly taker_name: string;
  readonly owner_lang: Language;
  readonly taker_lang: Language;
  readonly seller_account: Deal['sellerAccount'];
  readonly currency_id: number;
  readonly currency_name: string;
  readonly scale: number;
  readonly coin_code: Deal['coinCode'];
  readonly fiat_scale: number;
  readonly way: Deal['way'];
  readonly in_ad: boolean;
  readonly state: Deal['state'];
  readonly appeal: Deal['appeal'];
  readonly appeal_by: Deal['appealBy'];
  readonly cancelled_by: Deal['cancelledBy'];
  readonly proof: string | null;
  readonly facts: string;
  readonly paid_at: string | null;
  readonly silent_since: string | null;
  readonly ended_at: string | null;
  readonly expired_at: string | null;
  readonly decision_due: string | null;
  readonly buyer_appeals: number;
  readonly seller_appeals: number;
  readonly is_proposed: boolean;
};

export const toDeal = (row: DealRow): Deal => ({
  id: row.id,
  adId: Number(row.ad_id),
  kind: row.kind,
  type: row.type,
  ownerId: Number(row.owner_id),
  takerId: Number(row.taker_id),
  ownerName: row.owner_name,
  takerName: row.taker_name,
  ownerLang: row.owner_lang,
  takerLang: row.taker_lang,
  shopId: numberOrNull(row.shop_id),
  sellerAccount: row.seller_account,
  currencyId: row.currency_id,
  currencyName: row.currency_name,
  scale: row.scale,
  coinCode: row.coin_code,
  fiatScale: row.fiat_scale,
  price: toUnits(row.price, PRICE_SCALE),
  way: row.way,
  number: toUnits(row.number, row.scale),
  money: toUnits(row.money, row.fiat_scale),
  fee: toUnits(row.fee, row.scale),
  inAd: row.in_ad,
  state: row.state,
  appeal: row.appeal,
  appealBy: row.appeal_by,
  decisionDue: numberOrNull(row.decision_due),
  appealsBy: { buyer: row.buyer_appeals, seller: row.seller_appeals },
  isProposed: row.is_proposed,
  createdAt: Number(row.created_at),
  deadline: Number(row.deadline),
  paidAt: numberOrNull(row.paid_at),
  silentSince: numberOrNull(row.silent_since),
  endedAt: numberOrNull(row.ended_at),
  expiredAt: numberOrNull(row.expired_at),
  cancelledBy: row.cancelled_by,
  proof: row.proof,
  facts: row.facts,
});

/** The columns of a deal that change. */
export const toDealChanges = (deal: Deal): Readonly<Record<string, unknown>> => ({
  ...{ state: deal.state, appeal: deal.appeal, appeal_by: deal.appealBy, decision_due: dateOrNull(deal.decisionDue) },
  ...{ paid_at: dateOrNull(deal.paidAt), ended_at: dateOrNull(deal.endedAt), cancelled_by: deal.cancelledBy },
  ...{ proof: deal.proof, in_ad: deal.inAd, fee: formatTrimmed(deal.fee, deal.scale), facts: deal.facts },
  ...{ silent_since: dateOrNull(deal.silentSince), expired_at: dateOrNull(deal.expiredAt) },
});
/** Every column of a deal by name. */
export const toDealValues = (deal: Deal): Readonly<Record<string, unknown>> => ({
  ...{ id: deal.id, ad_id: deal.adId, kind: deal.kind, type: deal.type, shop_id: deal.shopId, owner_id: deal.ownerId },
  ...{ taker_id: deal.takerId, owner_name: deal.ownerName, taker_name: deal.takerName, owner_lang: deal.ownerLang },
  ...{ taker_lang: deal.takerLang, seller_account: deal.sellerAccount, currency_id: deal.currencyId },
  ...{ currency_name: deal.currencyName, scale: deal.scale, coin_code: deal.coinCode, fiat_scale: deal.fiatScale },
  ...{ price: formatTrimmed(deal.price, PRICE_SCALE), way: deal.way, number: formatTrimmed(deal.number, deal.scale) },
  ...{ money: formatTrimmed(deal.money, deal.fiatScale), created_at: new Date(deal.createdAt) },
  ...{ deadline: new Date(deal.deadline), ...toDealChanges(deal) },
});

/** Average whole seconds from payment to release of these owners' sales; 0: none. */
export const RELEASE_SECONDS = `coalesce(ceil(avg(extract(epoch from ended_at - paid_at))
  filter (where state = 'finished' and type = 'sell')), 0)::int as release`;

/** An `insert` of a row given by column. */
export function createInsert(table: string, values: Readonly<Record<string, unknown>>): [string, unknown[]] {
  const names = Object.keys(values);
  return [
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(values),
  ];
}
/** The `set` list of an update whose first parameter is the id. */
export const createAssignments = (values: Readonly<Record<string, unknown>>): string =>
  Object.keys(values)
    .map((name, at) => `${name} = $${at + 2}`)
    .join(', ');

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));
const dateOrNull = (time: number | null): Date | null => (time === null ? null : new Date(time));
