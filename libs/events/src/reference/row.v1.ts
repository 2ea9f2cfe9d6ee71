import { z } from 'zod';
import { defineEvent } from '../define.js';
import { TOPICS } from '../topics.js';

/** Kinds of reference data. `catalog` is published no longer; the log may still have rows of it. */
export const REFERENCE_KINDS = ['currency', 'pair', 'mode', 'setting', 'catalog', 'network'] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** A row of the kind `setting`: its value as text, and how it is written (rules §15). */
export interface SettingRow {
  readonly key: string;
  /** Service that stores and checks it. */
  readonly owner: string;
  readonly type: string;
  readonly bounds: Readonly<Record<string, unknown>>;
  readonly value: string;
  readonly default: string;
  readonly help: string;
  /** A change waits for a second admin. Missing in rows of an older version. */
  readonly guarded?: 0 | 1;
}

/**
 * A whole row of reference data with its version; owners publish all of them again at their start, and each service
 * keeps a copy.
 */
export const ReferenceRowV1 = defineEvent({
  type: 'reference.row',
  version: 1,
  topic: TOPICS.reference,
  key: (row) => `${row.kind}:${row.id}`,
  schema: z.object({
    kind: z.enum(REFERENCE_KINDS),
    id: z.string(),
    version: z.number().int().nonnegative(),
    row: z.record(z.string(), z.unknown()),
  }),
});
export type ReferenceRow = z.output<typeof ReferenceRowV1.schema>;

/** Services that alone publish a kind; of the other kinds, each row names its owner. */
const OWNERS: Partial<Record<ReferenceKind, string>> = {
  currency: 'market-data',
  pair: 'market-data',
  mode: 'spot-matching',
  network: 'wallet-ledger',
};

/** The only service that may publish a row and change it. */
export function referenceOwner({ kind, row }: Pick<ReferenceRow, 'kind' | 'row'>): unknown {
  return OWNERS[kind] ?? row['owner'];
}
