/** The colour of the side that must act next. */
export const COMPLAINT_TONES = { open: 'warn', answered: 'info', closed: 'plain' } as const;
