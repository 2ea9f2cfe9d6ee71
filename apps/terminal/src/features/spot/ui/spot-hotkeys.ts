import { openSearch } from '../../../core/search-key.js';
import { INTERVALS, type IntervalId } from '../../../market/chart/intervals.js';
import type { Hotkey } from '../../../market/hotkeys/registry.js';
import { goKeys } from '../../../market/hotkeys/use-hotkeys.js';
import { PERCENTS, type Side } from '../model/ticket.js';
import type { TicketCommand } from './ticket.js';

export interface SpotActions {
  side(side: Side): void;
  interval(interval: IntervalId): void;
  speakBook(): void;
  ticket(command: TicketCommand): void;
  help(): void;
  go(address: string): void;
}

/** The keys of the spot screen that send no order. */
export const spotHotkeys = (actions: SpotActions): Hotkey[] => [
  { keys: '/', run: openSearch },
  { keys: 'alt+b', run: actions.speakBook },
  { keys: 'b', run: () => actions.side('buy') },
  { keys: 's', run: () => actions.side('sell') },
  { keys: 'l', run: () => actions.ticket({ mode: 'limit' }) },
  { keys: 'm', run: () => actions.ticket({ mode: 'market' }) },
  { keys: '?', run: actions.help },
  ...PERCENTS.map((percent, at) => ({ keys: String(at + 1), run: () => actions.ticket({ percent }) })),
  ...INTERVALS.map(({ id, key }) => ({ keys: `i ${key}`, run: () => actions.interval(id) })),
  ...goKeys(actions.go),
];
