import { INTERVALS, type IntervalId } from '../../../market/chart/intervals.js';
import type { HelpRow } from '../../../market/hotkeys/hotkey-help.js';
import type { Hotkey } from '../../../market/hotkeys/registry.js';
import { goKeys } from '../../../market/hotkeys/use-hotkeys.js';
import { PERCENTS, type Side } from '../model/ticket.js';
import type { TicketCommand } from './ticket.js';

export interface SpotActions {
  search(): void;
  side(side: Side): void;
  send(side: Side): void;
  cancelAll(): void;
  interval(interval: IntervalId): void;
  speakBook(): void;
  ticket(command: TicketCommand): void;
  help(): void;
  go(address: string): void;
}

/** The keys that send and cancel orders; they act while they are armed (terminal rule 10). */
export const orderHotkeys = (actions: Pick<SpotActions, 'send' | 'cancelAll'>): Hotkey[] => [
  { keys: 'shift+b', run: () => actions.send('buy') },
  { keys: 'shift+s', run: () => actions.send('sell') },
  { keys: 'shift+x', run: actions.cancelAll },
];

/** The keys of the spot screen that send no order. */
export const spotHotkeys = (actions: Omit<SpotActions, 'send' | 'cancelAll'>): Hotkey[] => [
  { keys: '/', run: actions.search },
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

export const SPOT_KEYS_HELP: readonly HelpRow[] = [
  ['/ · Ctrl K', 'keys.search'],
  ['B · S', 'keys.side'],
  ['L · M', 'keys.mode'],
  ['1 – 5', 'keys.percent'],
  ['I, 0 – 9, -', 'keys.interval'],
  ['G, S W H', 'keys.go'],
  ['Alt B', 'keys.speak'],
  ['?', 'keys.help'],
];

export const ORDER_KEYS_HELP: readonly HelpRow[] = [
  ['Shift B', 'keys.sendBuy'],
  ['Shift S', 'keys.sendSell'],
  ['Shift X', 'keys.cancelPair'],
];
