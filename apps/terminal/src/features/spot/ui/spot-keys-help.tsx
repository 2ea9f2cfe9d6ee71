import { useArmedKeys } from '../../../core/armed-keys.js';
import { useSignedIn } from '../../../core/session.js';
import { HotkeyHelp, type HelpRow } from '../../../market/hotkeys/hotkey-help.js';

const ROWS: readonly HelpRow[] = [
  ['/ · Ctrl K', 'market.searchAll'],
  ['B · S', 'keys.side'],
  ['L · M', 'keys.mode'],
  ['1 – 5', 'keys.percent'],
  ['I, 0 – 9, -', 'keys.interval'],
  ['G, S W H', 'keys.go'],
  ['Alt B', 'keys.speak'],
  ['?', 'keys.help'],
];
const ORDER_ROWS: readonly HelpRow[] = [
  ['Shift B', 'keys.sendBuy'],
  ['Shift S', 'keys.sendSell'],
  ['Shift X', 'keys.cancelPair'],
];

interface Props {
  onClose: () => void;
  on: boolean;
  onSwitch: (on: boolean) => void;
}

/** The keys of the spot screen; a signed-in person can arm those that send orders. */
export function SpotKeysHelp(props: Props) {
  const signedIn = useSignedIn();
  const { armed, arm } = useArmedKeys();
  return <HotkeyHelp {...props} rows={ROWS} orders={signedIn ? { rows: ORDER_ROWS, armed, onArm: arm } : undefined} />;
}
