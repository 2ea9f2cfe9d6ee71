/** Number of messages that came while the page was hidden; the title begins with it. */
let unseen = 0;
const PREFIX = /^\(\d+\) /;

/** The title with a number before it, or without one. */
export const titled = (title: string, count: number): string =>
  `${count > 0 ? `(${count}) ` : ''}${title.replace(PREFIX, '')}`;

/** Names the page; the number of unseen messages stays before the name. Nothing else writes the title. */
export function setTitle(title: string): void {
  document.title = titled(`${title} · Bourse`, unseen);
}

/** One message more. A page that is seen needs no number. */
export function badgeTitle(): void {
  if (!document.hidden) return;
  if (unseen === 0) document.addEventListener('visibilitychange', clear);
  unseen += 1;
  document.title = titled(document.title, unseen);
}

function clear(): void {
  if (document.hidden) return;
  document.removeEventListener('visibilitychange', clear);
  unseen = 0;
  document.title = titled(document.title, 0);
}
