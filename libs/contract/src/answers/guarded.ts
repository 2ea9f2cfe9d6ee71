import * as z from 'zod/mini';
import { flag, timeText, type TimeText } from './values.js';

/** A waiting change of a guarded row (api §2.12). */
export interface PendingChange<V = unknown> {
  readonly value: V;
  readonly approval_id: number;
  /** When it takes effect; `''` until a second admin has approved it. */
  readonly in_force_at: TimeText;
}
const pending = <V extends z.ZodMiniType>(value: V) =>
  z.nullable(z.object({ value, approval_id: z.int(), in_force_at: timeText }));

/** The fields that a settings row has beside its value: whether it is guarded, and its pending change. */
export const guardedSetting = { guarded: flag, pending: pending(z.string()) };
/** The fields that a catalog row has beside its columns; `pending.value` holds the columns that would change. */
export const guardedRow = {
  guarded: flag,
  guarded_fields: z.readonly(z.array(z.string())),
  pending: pending(z.readonly(z.record(z.string(), z.unknown()))),
};
/** Facts of one row about its guarded columns. */
export interface GuardedRow {
  readonly guarded: 0 | 1;
  readonly guarded_fields: readonly string[];
  readonly pending: PendingChange<Readonly<Record<string, unknown>>> | null;
}
