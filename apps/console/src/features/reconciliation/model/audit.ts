import type { MessageOf } from '@bourse/contract';

/** The auditors' last round (api §2.12). */
export type Audit = MessageOf<'GET /api/admin/reconciliation'>;
export type Check = Audit['checks'][number];

/**
 * Failed checks first, the others in their order. `result` narrows to passed (`1`) or failed (`0`), `name` to names
 * that it is part of.
 */
export const inOrder = (checks: readonly Check[], result = '', name = ''): readonly Check[] =>
  checks
    .filter((one) => (result === '' || String(one.ok) === result) && one.name.includes(name.trim()))
    .toSorted((one, other) => one.ok - other.ok);
