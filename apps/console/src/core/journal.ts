import type { RowOf } from '@bourse/contract';

/** A journal as operators read it (api §2.12): the owner of a leg is the number of a person, or `house`. */
export type Journal = RowOf<'GET /api/admin/journals'>;
export type Leg = Journal['legs'][number];
