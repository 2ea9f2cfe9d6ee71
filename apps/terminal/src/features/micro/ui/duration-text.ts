import type { TFunction } from 'i18next';

/** A length in the reader's words: whole minutes as such. */
export const durationText = (t: TFunction, seconds: number): string =>
  seconds % 60 === 0 ? t('micro.minutes', { count: seconds / 60 }) : t('micro.seconds', { count: seconds });
