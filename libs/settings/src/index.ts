export * from './value-types.js';
export { defineSetting, withDefault, type AnySetting, type Setting } from './define.js';
export { FixedSettings } from './fixed-settings.js';
export { ServiceSettings, Settings, type SettingRule, type SettingsOptions } from './settings.js';
export { CatalogBody, CatalogChanges, CatalogList, type SavedRow } from './catalog.js';
export { Column, columnsOf, type ColumnFacts } from './column.js';
export {
  GuardedChanges,
  OutdatedChange,
  pendingOf,
  type ApprovedChange,
  type GuardedPayload,
  type WaitingChange,
} from './guarded-changes.js';
export { settingsOf, type Part } from './part.js';
export { recordChange, type ChangedBy } from './operator-trail.js';
export { SettingsModule, type SettingsModuleOptions } from './settings.module.js';
export * from './shared-settings.js';
