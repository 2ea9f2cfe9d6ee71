import type { RowOf } from '@bourse/contract';

/** A complaint at the desk of support (api §2.12); `from: 'me'` is the person. */
type ComplaintRow = RowOf<'GET /api/admin/complaints'>;

/** The colour of the side that must act next. */
export const COMPLAINT_TONES = { open: 'warn', answered: 'info', closed: 'plain' } as const;
