import { Suspense } from 'react';
import { useNavigate } from 'react-router-dom';
import { openSearch } from '../../../core/search-key.js';
import { INTERVALS, type IntervalId } from '../../../market/chart/intervals.js';
import type { HelpRow } from '../../../market/hotkeys/hotkey-help.js';
import { HotkeyHelp } from '../../../market/hotkeys/lazy-hotkey-help.js';
import type { Hotkey } from '../../../market/hotkeys/registry.js';
import { goKeys, useHotkeys } from '../../../market/hotkeys/use-hotkeys.js';
import { useKept } from '../../../prefs/use-kept.js';

const HELP: readonly HelpRow[] = [
  ['/ · Ctrl K', 'market.searchAll'],
  ['B · S', 'lever.side'],
  ['I, 0 – 9, -', 'keys.interval'],
  ['G, S W H', 'keys.go'],
  ['?', 'keys.help'],
];

interface Props {
  help: boolean;
  onHelp: (open: boolean) => void;
  side: (side: 'long' | 'short') => void;
  interval: (interval: IntervalId) => void;
}

/** The keys of the leverage centre. None of them sends an order. */
export function LeverKeys({ help, onHelp, side, interval }: Props) {
  const navigate = useNavigate();
  const [on, setOn] = useKept('keys.single', true);
  const keys: Hotkey[] = [
    { keys: '/', run: openSearch },
    { keys: 'b', run: () => side('long') },
    { keys: 's', run: () => side('short') },
    { keys: '?', run: () => onHelp(true) },
    ...INTERVALS.map(({ id, key }) => ({ keys: `i ${key}`, run: () => interval(id) })),
    ...goKeys((address) => void navigate(address)),
  ];
  useHotkeys(on, keys);
  return (
    <Suspense>{help && <HotkeyHelp rows={HELP} onClose={() => onHelp(false)} on={on} onSwitch={setOn} />}</Suspense>
  );
}
