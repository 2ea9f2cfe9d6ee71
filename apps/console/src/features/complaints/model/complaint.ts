import type { Complaint } from '@bourse/contract';

/** A complaint at the desk of support (api §2.12); `from: 'me'` is the person. */
export type ComplaintRow = Complaint & { readonly user_id: number; readonly lang: string };

/** The colour of the side that must act next. */
export const COMPLAINT_TONES = { open: 'warn', answered: 'info', closed: 'plain' } as const;
