import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';
import { current } from '../core/i18n.js';
import { useSignedIn } from '../core/session.js';
import type { FoundList } from '../market/pair/found-rows.js';
import { matchesSearch } from '../market/pair/matches-search.js';
import { useAppearance } from '../prefs/appearance.js';
import { chooseLanguage } from './choose-language.js';
import { useLogOut } from './use-log-out.js';

interface Questions {
  readonly onCancelAll: () => void;
}

/** Actions that the search finds: theme, language, sign-out, and the cancel of all orders, which is asked first. */
export function useFoundActions(close: () => void, { onCancelAll }: Questions): FoundList {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const logOut = useLogOut();
  const { theme, setTheme } = useAppearance();
  const actions: readonly { readonly id: string; readonly name: string; readonly run: () => void }[] = [
    {
      id: 'theme',
      name: t(theme === 'dark' ? 'theme.toWhite' : 'theme.toDark'),
      run: () => setTheme(theme === 'dark' ? 'white' : 'dark'),
    },
    ...LANGUAGES.filter((code) => code !== current()).map((code) => ({
      id: `language-${code}`,
      name: `${t('language.menu')}: ${LOCALES[code].name}`,
      run: () => void chooseLanguage(code, t),
    })),
    ...(signedIn ? [{ id: 'logout', name: t('nav.logout'), run: () => void logOut() }] : []),
  ];
  const rows = actions.map(({ run, ...action }) => ({
    ...action,
    run: () => {
      close();
      run();
    },
  }));
  const all = signedIn ? [{ id: 'cancelAll', name: t('orders.cancelAllOpen'), run: onCancelAll }, ...rows] : rows;
  return {
    heading: t('market.actions'),
    rowsFor: (search) =>
      all
        .filter(({ name }) => matchesSearch(name, search))
        .map(({ id, name, run }) => ({ id: `action-${id}`, content: name, run })),
  };
}
