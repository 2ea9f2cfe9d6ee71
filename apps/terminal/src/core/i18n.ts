import { TEXTS } from 'texts:languages';
import { pageTexts } from '@bourse/web';
import { readStored, writeStored } from '../prefs/storage.js';

/** The texts of this page, in the stored language, else in English. */
export const { startTexts, loadAreas, changeLocale, current } = pageTexts(TEXTS, {
  read: () => readStored('locale'),
  write: (code) => writeStored('locale', code),
});

/** A module that is loaded together with the texts of some areas. */
export const loadWithTexts = async <M>(module: Promise<M>, areas: Parameters<typeof loadAreas>[0]): Promise<M> =>
  (await Promise.all([module, loadAreas(areas)]))[0];
