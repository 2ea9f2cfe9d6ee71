import { lazyScreen } from '@bourse/web';
import { loadAreas } from '../../core/i18n.js';

/** The list of keys of a page, loaded with its texts when it is opened. */
export const HotkeyHelp = lazyScreen(async () => {
  const [{ HotkeyHelp: Help }] = await Promise.all([import('./hotkey-help.js'), loadAreas(['desk'])]);
  return { default: Help };
});
