/** Finance decides what was objected to and is not over: also after time has confirmed it. */
export const needsDecision = ({ objected }: { readonly objected: 0 | 1 }): boolean => objected === 1;
