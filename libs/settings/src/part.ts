import type { ServicePart } from '@bourse/messaging';
import type { AnySetting } from './define.js';
import type { SettingRule } from './settings.js';

/** The components that one part adds to its service, its settings among them (decision 0112). */
export interface Part extends ServicePart {
  readonly settings: readonly AnySetting[];
  readonly rules: readonly SettingRule[];
}

/** The settings of all parts of a service, and the rules between them: for `SettingsModule.forService`. */
export const settingsOf = (parts: readonly Part[]): { settings: AnySetting[]; rules: SettingRule[] } => ({
  settings: parts.flatMap(({ settings }) => settings),
  rules: parts.flatMap(({ rules }) => rules),
});
