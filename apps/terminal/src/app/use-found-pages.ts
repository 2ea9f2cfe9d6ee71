import { useTranslation } from 'react-i18next';
import type { FoundList } from '../market/pair/found-rows.js';
import { matchesSearch } from '../market/pair/matches-search.js';
import { ACCOUNT_GROUPS } from './account-groups.js';
import { GUEST_LINKS, HELP_LINKS, MAIN_LINKS, shown } from './nav.js';
import { useViewer } from './use-viewer.js';
import { USER_LINKS } from './user-nav.js';

/** The pages of the menus for the search, each once. */
export function useFoundPages(go: (path: string) => void): FoundList {
  const { t } = useTranslation();
  const viewer = useViewer();
  const links = [
    ...MAIN_LINKS,
    ...(viewer.signedIn ? [...USER_LINKS, ...ACCOUNT_GROUPS.flatMap((group) => group.links)] : GUEST_LINKS),
    ...HELP_LINKS,
  ];
  const pages = new Map(shown(links, viewer).map(({ path, text }) => [path, t(text)]));
  return {
    heading: t('market.pages'),
    rowsFor: (search) =>
      [...pages]
        .filter(([, name]) => matchesSearch(name, search))
        .map(([path, name]) => ({ id: path, content: name, run: () => go(path) })),
  };
}
