import type { LeverPosition } from '@bourse/contract';
import type { CsvValues } from '@bourse/platform';
import { CLOSED_BY, type Position } from '../domain/position.js';

/*
 * Rows of the file of own closed positions (api §2.5). Figures are the texts of the lists, so that file and list agree
 * to the digit.
 */

export const CLOSED_COLUMNS = [
  'time',
  'position_id',
  'part_of',
  'client_id',
  'pair',
  'side',
  'multiple',
  'share',
  'number',
  'opened',
  'open_price',
  'close_price',
  'margin',
  'trade_fee',
  'night_fees',
  'profit',
  'fund_paid',
  'currency',
  'closed_by',
] as const;

const NAMES = new Map(Object.entries(CLOSED_BY).map(([name, code]) => [code, name]));

/** Writes a closed position, with its view, as a row of `CLOSED_COLUMNS`. */
export const closedValues = ({ openedAt, handledAt, closedBy }: Position, view: LeverPosition): CsvValues => [
  isoTime(handledAt),
  view.id,
  view.part_of ?? '',
  view.client_id,
  view.symbol,
  view.type === 1 ? 'long' : 'short',
  view.multiple,
  view.share,
  view.number,
  isoTime(openedAt),
  view.price,
  view.update_price,
  view.origin_caution_money,
  view.trade_fee,
  view.overnight_money,
  view.profits,
  view.fund_paid,
  view.legal,
  NAMES.get(closedBy) ?? '',
];

const isoTime = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());
