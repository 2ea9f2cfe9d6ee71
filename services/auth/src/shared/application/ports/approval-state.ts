/** States of a call that waits for a second operator. */
export const APPROVAL_STATES = ['waiting', 'approved', 'rejected'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];
