/** Finance decides objections that are open, also after a confirmation by time. */
export const needsDecision = ({ objected }: { readonly objected: 0 | 1 }): boolean => objected === 1;
