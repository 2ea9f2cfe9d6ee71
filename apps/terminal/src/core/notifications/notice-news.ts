/**
 * Kinds of notice whose event the page reports itself, with figures, at once and on every page. A kind that is not here
 * has a toast of its notice: an event that is shown twice is better than one that is not shown.
 */
const OWN_TOASTS: ReadonlySet<string> = new Set([
  ...['orderFilled', 'positionRisk', 'positionStop', 'positionTarget', 'positionCover', 'microSettled', 'claimPaid'],
  ...['dealOpened', 'dealPaid', 'dealReleased', 'dealCancelled', 'dealExpired', 'appealOpened', 'appealDecided'],
  ...['depositCredited', 'withdrawalDone', 'withdrawalRejected', 'identityPassed', 'identityRejected'],
]);

/** Whether a notice announces the decision on the person's identity papers. */
export const isOfIdentity = (kind: string): boolean => kind === 'identityPassed' || kind === 'identityRejected';

/** Whether a toast of the page itself already reports the event of a notice of this kind. */
export const hasOwnToast = (kind: string): boolean => OWN_TOASTS.has(kind);
