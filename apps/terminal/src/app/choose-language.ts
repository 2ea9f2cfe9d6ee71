import type { TFunction } from 'i18next';
import type { Language } from '@bourse/contract';
import { toastError } from '@bourse/web';
import { api, readPersonAgain } from '../core/api.js';
import { changeLocale } from '../core/i18n.js';
import { useSession } from '../core/session.js';

/** Shows everything in another language, and stores it with the account of a person who is signed in. */
export async function chooseLanguage(code: Language, t: TFunction): Promise<void> {
  try {
    await changeLocale(code);
  } catch (error) {
    console.warn('texts not loaded', error);
    return toastError(t('language.failed'));
  }
  // Answers have words of the exchange, as the cause of a booking.
  readPersonAgain();
  if (useSession.getState().token !== null)
    await api
      .post('/api/set/lang', { lang: code }, { quiet: true })
      .catch((error: unknown) => console.warn('language not stored on the server', error));
}
