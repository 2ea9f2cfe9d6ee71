import { sameScreen } from '../../paths.js';

/** Screens of the events that the page reports itself, with figures, at once. */
const TOASTED_SCREENS = [
  ...['/accountEntrust', '/coinRecord', '/leverList', '/leverRecord', '/leverTransactions', '/allTransaction'],
  ...['/secondsOrder', '/microReceipt', '/microInsurance', '/c2cDetail', '/authentication'],
];

/** The address that a notice leads to; undefined when it leads nowhere. */
export const noticeLink = (content: string): string | undefined => /href="(\/[^"?#]*)/.exec(content)?.[1];

/** Whether a notice announces the decision on the person's identity papers. */
export function isOfIdentity(content: string): boolean {
  const link = noticeLink(content);
  return link !== undefined && sameScreen('/authentication', link);
}

/** Whether a toast of the page itself already reports the event of this notice. */
export function hasOwnToast(content: string): boolean {
  const link = noticeLink(content);
  return link !== undefined && TOASTED_SCREENS.some((path) => sameScreen(path, link));
}
