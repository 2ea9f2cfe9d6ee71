export * from './value-types.js';
export { defineSetting, withDefault, type AnySetting, type Setting } from './define.js';
export { ServiceSettings, Settings, type SettingRule, type SettingsOptions } from './settings.js';
export { CatalogList, Catalogs, readColumns, type SavedRow } from './catalog.js';
export { recordChange, type ChangedBy } from './operator-trail.js';
export { SettingsModule, type SettingsModuleOptions } from './settings.module.js';
export * from './shared-settings.js';
