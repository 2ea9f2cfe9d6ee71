import type { News } from '@bourse/contract';

type Popup = Pick<News, 'id' | 'update_time'>;

/** Marks kept of each person; older ones are of items long gone. */
const KEPT = 40;

/** The stored record of an item that was closed: the item is shown again when it has changed. */
export const markOf = ({ id, update_time: at }: Popup): string => `${id}@${at}`;

/**
 * The one item that is shown: the first that the person has not closed. One for each visit of the page: what follows
 * waits for the next one.
 */
export function popupOf<Item extends Popup>(
  items: readonly (Item | undefined)[],
  seen: readonly string[],
): Item | undefined {
  return items.find((item): item is Item => item !== undefined && !seen.includes(markOf(item)));
}

export const withSeen = (seen: readonly string[], item: Popup): string[] => [
  ...seen.filter((mark) => mark !== markOf(item)).slice(1 - KEPT),
  markOf(item),
];
