import type { MessageOf } from '@bourse/contract';

/** The auditors' last round (api §2.12). */
export type Audit = MessageOf<'GET /api/admin/reconciliation'>;
export type Check = Audit['checks'][number];

/**
 * Failed checks first, the others in their order. `result` selects passed (`1`) or failed (`0`) checks, `name` those
 * whose name contains it.
 */
export const inOrder = (checks: readonly Check[], result = '', name = ''): readonly Check[] =>
  checks
    .filter((one) => (result === '' || String(one.ok) === result) && one.name.includes(name.trim()))
    .toSorted((one, other) => one.ok - other.ok);
