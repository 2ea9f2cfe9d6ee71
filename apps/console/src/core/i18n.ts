import { TEXTS } from 'texts:languages';
import { pageTexts } from '@bourse/web';
import { readSetting, writeSetting } from './stored.js';

/**
 * The texts of this page. The operators' own words (`console`) are English and Chinese: in other languages the English
 * ones stand in.
 */
export const { startTexts, loadAreas, changeLocale, current } = pageTexts(
  TEXTS,
  { read: () => readSetting('locale'), write: (code) => writeSetting('locale', code) },
  ['console'],
);
