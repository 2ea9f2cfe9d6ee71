import { lazyScreen } from '@bourse/web';
import { loadWithTexts } from '../../core/i18n.js';

/** The list of keys of a page, loaded with its texts when it is opened. */
export const HotkeyHelp = lazyScreen(async () => ({
  default: (await loadWithTexts(import('./hotkey-help.js'), ['desk'])).HotkeyHelp,
}));
