import type { ClosedBy, Position, Status } from '../../domain/position.js';

/** Columns of a position: where it lies in the table, and how its value is written and read. */
interface Column {
  readonly name: string;
  readonly write: (position: Position) => unknown;
}
const column = (name: string, write: (position: Position) => unknown): Column => ({ name, write });

/** What stands from the start to the end of a position. */
const FIXED: readonly Column[] = [
  column('id', ({ id }) => id),
  column('user_id', ({ userId }) => userId),
  column('pair_id', ({ pairId }) => pairId),
  column('quote', ({ quote }) => quote),
  column('price_scale', ({ scales }) => scales.priceScale),
  column('number_scale', ({ scales }) => scales.numberScale),
  column('quote_scale', ({ scales }) => scales.quoteScale),
  column('is_long', ({ direction }) => direction === 'long'),
  column('share', ({ share }) => share),
  column('multiple', ({ multiple }) => multiple),
  column('lots', ({ lots }) => String(lots)),
  column('origin_price', ({ originPrice }) => String(originPrice)),
  column('price', ({ price }) => String(price)),
  column('notional', ({ notional }) => String(notional)),
  column('origin_caution', ({ originCaution }) => String(originCaution)),
  column('fee', ({ fee }) => String(fee)),
  column('client_id', ({ clientId }) => clientId),
  column('created_at', ({ createdAt }) => createdAt),
];
/** What its transitions change. */
const CHANGING: readonly Column[] = [
  column('status', ({ status }) => status),
  column('caution', ({ caution }) => String(caution)),
  column('overnight', ({ overnight }) => String(overnight)),
  column('burst', ({ burst }) => String(burst)),
  column('night_paid', ({ nightPaid }) => String(nightPaid)),
  column('night_rest', ({ nightRest }) => String(nightRest)),
  column('target', ({ target }) => String(target)),
  column('stop', ({ stop }) => String(stop)),
  column('closed_by', ({ closedBy }) => closedBy),
  column('close_price', ({ closePrice }) => String(closePrice)),
  column('close_profits', ({ closeProfits }) => String(closeProfits)),
  column('close_shortfall', ({ closeShortfall }) => String(closeShortfall)),
  column('settlement', ({ settlement }) => settlement),
  column('changed_at', ({ changedAt }) => changedAt),
  column('opened_at', ({ openedAt }) => openedAt),
  column('handled_at', ({ handledAt }) => handledAt),
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

const WHOLE = ['lots', 'origin_price', 'price', 'notional', 'caution', 'origin_caution', 'fee', 'overnight', 'burst']
  .concat([
    'night_paid',
    'night_rest',
    'target',
    'stop',
    'close_price',
    'close_profits',
    'close_shortfall',
    'id',
    'user_id',
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
  readonly client_id: string;
  readonly created_at: string;
  readonly changed_at: string;
  readonly opened_at: string | null;
  readonly handled_at: string | null;
}

const timeOf = (text: string | null): number | null => (text === null ? null : Number(text));

/** A position as its row has it. */
export const positionOf = (row: PositionRow): Position => ({
  id: row.id,
  userId: Number(row.user_id),
  pairId: row.pair_id,
  quote: row.quote,
  scales: { priceScale: row.price_scale, numberScale: row.number_scale, quoteScale: row.quote_scale },
  direction: row.is_long ? 'long' : 'short',
  status: row.status,
  revision: row.revision,
  share: Number(row.share),
  multiple: row.multiple,
  lots: BigInt(row.lots),
  originPrice: BigInt(row.origin_price),
  price: BigInt(row.price),
  notional: BigInt(row.notional),
  caution: BigInt(row.caution),
  originCaution: BigInt(row.origin_caution),
  fee: BigInt(row.fee),
  overnight: BigInt(row.overnight),
  burst: BigInt(row.burst),
  nightPaid: BigInt(row.night_paid),
  nightRest: BigInt(row.night_rest),
  target: BigInt(row.target),
  stop: BigInt(row.stop),
  closedBy: row.closed_by,
  closePrice: BigInt(row.close_price),
  closeProfits: BigInt(row.close_profits),
  closeShortfall: BigInt(row.close_shortfall),
  settlement: row.settlement,
  clientId: row.client_id,
  createdAt: Number(row.created_at),
  changedAt: Number(row.changed_at),
  openedAt: timeOf(row.opened_at),
  handledAt: timeOf(row.handled_at),
});
