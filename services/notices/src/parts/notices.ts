import { NOTICE_SETTINGS } from '../application/notice-settings.js';
import type { Part } from './part.js';

/** What people are told personally (api §2.10). */
export const NOTICES: Part = {
  controllers: [],
  providers: [],
  migrations: [],
  entities: [],
  settings: NOTICE_SETTINGS,
  rules: [],
};
