import type { Change } from '../../application/ports.js';
import type { ClosedBy, Position, Status } from '../../domain/position.js';

/** A column of the position table and the value that it stores. */
interface Column {
  readonly name: string;
  readonly write: (position: Position) => unknown;
}
const column = (name: string, write: (position: Position) => unknown): Column => ({ name, write });
interface ChangingColumn extends Column {
  readonly type: string;
}
const changing = (name: string, type: string, write: (position: Position) => unknown): ChangingColumn => ({
  name,
  type,
  write,
});

/** Columns that never change. */
const FIXED: readonly Column[] = [
  column('id', ({ id }) => id),
  column('user_id', ({ userId }) => userId),
  column('part_of', ({ partOf }) => partOf),
  column('pair_id', ({ pairId }) => pairId),
  column('quote', ({ quote }) => quote),
  column('price_scale', ({ scales }) => scales.priceScale),
  column('number_scale', ({ scales }) => scales.numberScale),
  column('quote_scale', ({ scales }) => scales.quoteScale),
  column('is_long', ({ direction }) => direction === 'long'),
  column('multiple', ({ leverage }) => leverage),
  column('origin_price', ({ originPrice }) => String(originPrice)),
  column('price', ({ price }) => String(price)),
  column('fee', ({ fee }) => String(fee)),
  column('client_id', ({ clientId }) => clientId),
  column('created_at', ({ createdAt }) => createdAt),
];
/** Columns that transitions change. */
const CHANGING: readonly ChangingColumn[] = [
  changing('status', 'smallint', ({ status }) => status),
  changing('share', 'bigint', ({ contracts }) => contracts),
  changing('lots', 'numeric', ({ lots }) => String(lots)),
  changing('notional', 'numeric', ({ notional }) => String(notional)),
  changing('origin_caution', 'numeric', ({ initialMargin }) => String(initialMargin)),
  changing('caution', 'numeric', ({ margin }) => String(margin)),
  changing('overnight', 'numeric', ({ overnight }) => String(overnight)),
  changing('burst', 'numeric', ({ liquidationRate }) => String(liquidationRate)),
  changing('night_paid', 'numeric', ({ paidOvernightFees }) => String(paidOvernightFees)),
  changing('night_rest', 'numeric', ({ unpaidOvernightFee }) => String(unpaidOvernightFee)),
  changing('target', 'numeric', ({ target }) => String(target)),
  changing('stop', 'numeric', ({ stop }) => String(stop)),
  changing('closed_by', 'smallint', ({ closedBy }) => closedBy),
  changing('close_price', 'numeric', ({ closePrice }) => String(closePrice)),
  changing('close_profits', 'numeric', ({ closeProfits }) => String(closeProfits)),
  changing('close_shortfall', 'numeric', ({ closeShortfall }) => String(closeShortfall)),
  changing('settlement', 'text', ({ settlement }) => settlement),
  changing('settling_hold', 'numeric', ({ settlingHold }) => String(settlingHold)),
  changing('changed_at', 'bigint', ({ changedAt }) => changedAt),
  changing('opened_at', 'bigint', ({ openedAt }) => openedAt),
  changing('handled_at', 'bigint', ({ handledAt }) => handledAt),
];

const ALL = [...FIXED, ...CHANGING];
export const INSERT_SQL = `insert into lever_position (${ALL.map(({ name }) => name).join(', ')})
  values (${ALL.map((_, index) => `$${index + 1}`).join(', ')})`;
export const insertParams = (position: Position): unknown[] => ALL.map(({ write }) => write(position));

export const CHANGE_SQL = `update lever_position
  set ${CHANGING.map(({ name }, index) => `${name} = $${index + 4}`).join(', ')}, revision = revision + 1
  where id = $1 and status = $2 and revision = $3`;
export const changeParams = (before: Position, after: Position): unknown[] => [
  before.id,
  before.status,
  before.revision,
  ...CHANGING.map(({ write }) => write(after)),
];

/** The same for many positions, locked in the order of their ids as everywhere. */
export const CHANGE_ALL_SQL = `with n as (
    select * from unnest($1::bigint[], $2::smallint[], $3::int[],
      ${CHANGING.map(({ type }, index) => `$${index + 4}::${type}[]`).join(', ')})
      as n(id, was, revision, ${CHANGING.map(({ name }) => `new_${name}`).join(', ')})),
  held as (
    select p.id from lever_position p join n using (id, revision)
    where p.status = n.was order by 1 for update of p)
  update lever_position p
  set ${CHANGING.map(({ name }) => `${name} = n.new_${name}`).join(', ')}, revision = p.revision + 1
  from n join held using (id) where p.id = n.id`;
export const changeAllParams = (changes: readonly Change[]): unknown[] => [
  changes.map(({ before }) => before.id),
  changes.map(({ before }) => before.status),
  changes.map(({ before }) => before.revision),
  ...CHANGING.map(({ write }) => changes.map(({ after }) => write(after))),
];

const WHOLE = ['lots', 'origin_price', 'price', 'notional', 'caution', 'origin_caution', 'fee', 'overnight', 'burst']
  .concat([
    'night_paid',
    'night_rest',
    'target',
    'stop',
    'close_price',
    'close_profits',
    'close_shortfall',
    'settling_hold',
    'id',
    'user_id',
    'part_of',
  ])
  .map((name) => `${name}::text`);
const AS_IT_IS = ['pair_id', 'quote', 'price_scale', 'number_scale', 'quote_scale', 'is_long', 'status', 'revision'];
const NUMBERS = ['share', 'created_at', 'changed_at', 'opened_at', 'handled_at'].map((name) => `${name}::text`);
export const COLUMNS = [...WHOLE, ...AS_IT_IS, ...NUMBERS, 'multiple', 'closed_by', 'settlement', 'client_id'].join(
  ', ',
);

export interface PositionRow extends Record<string, unknown> {
  readonly id: string;
  readonly user_id: string;
  readonly part_of: string | null;
  readonly pair_id: number;
  readonly quote: number;
  readonly price_scale: number;
  readonly number_scale: number;
  readonly quote_scale: number;
  readonly is_long: boolean;
  readonly status: Status;
  readonly revision: number;
  readonly share: string;
  readonly multiple: number;
  readonly lots: string;
  readonly origin_price: string;
  readonly price: string;
  readonly notional: string;
  readonly caution: string;
  readonly origin_caution: string;
  readonly fee: string;
  readonly overnight: string;
  readonly burst: string;
  readonly night_paid: string;
  readonly night_rest: string;
  readonly target: string;
  readonly stop: string;
  readonly closed_by: ClosedBy;
  readonly close_price: string;
  readonly close_profits: string;
  readonly close_shortfall: string;
  readonly settlement: string | null;
  readonly settling_hold: string;
  readonly client_id: string;
  readonly created_at: string;
  readonly changed_at: string;
  readonly opened_at: string | null;
  readonly handled_at: string | null;
}

const timeOf = (text: string | null): number | null => (text === null ? null : Number(text));

/** Reads a position from its row. */
export const positionOf = (row: PositionRow): Position => ({
  id: row.id,
  userId: Number(row.user_id),
  partOf: row.part_of,
  pairId: row.pair_id,
  quote: row.quote,
  scales: { priceScale: row.price_scale, numberScale: row.number_scale, quoteScale: row.quote_scale },
  direction: row.is_long ? 'long' : 'short',
  status: row.status,
  revision: row.revision,
  contracts: Number(row.share),
  leverage: row.multiple,
  lots: BigInt(row.lots),
  originPrice: BigInt(row.origin_price),
  price: BigInt(row.price),
  notional: BigInt(row.notional),
  margin: BigInt(row.caution),
  initialMargin: BigInt(row.origin_caution),
  fee: BigInt(row.fee),
  overnight: BigInt(row.overnight),
  liquidationRate: BigInt(row.burst),
  paidOvernightFees: BigInt(row.night_paid),
  unpaidOvernightFee: BigInt(row.night_rest),
  target: BigInt(row.target),
  stop: BigInt(row.stop),
  closedBy: row.closed_by,
  closePrice: BigInt(row.close_price),
  closeProfits: BigInt(row.close_profits),
  closeShortfall: BigInt(row.close_shortfall),
  settlement: row.settlement,
  settlingHold: BigInt(row.settling_hold),
  clientId: row.client_id,
  createdAt: Number(row.created_at),
  changedAt: Number(row.changed_at),
  openedAt: timeOf(row.opened_at),
  handledAt: timeOf(row.handled_at),
});
