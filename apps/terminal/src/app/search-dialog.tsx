import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { Dialog } from '@bourse/ui';
import { useQuotations } from '../core/market.js';
import type { FoundList } from '../market/pair/found-rows.js';
import { MarketList } from '../market/pair/market-list.js';
import { spotAddress } from '../paths.js';
import { ACCOUNT_GROUPS } from './account-groups.js';
import { GUEST_LINKS, HELP_LINKS, MAIN_LINKS, shown } from './nav.js';
import { useViewer } from './use-viewer.js';
import { USER_LINKS } from './user-nav.js';

/** Finds pairs, which open in spot, and the pages of the menus. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const viewer = useViewer();
  const { groups } = useQuotations();
  const go = (address: string): void => {
    onClose();
    void navigate(address);
  };
  const links = [
    ...MAIN_LINKS,
    ...(viewer.signedIn ? [...USER_LINKS, ...ACCOUNT_GROUPS.flatMap((group) => group.links)] : GUEST_LINKS),
    ...HELP_LINKS,
  ];
  const pages = new Map(shown(links, viewer).map(({ path, text }) => [path, t(text)]));
  const also: FoundList = {
    label: t('market.searchPages'),
    heading: t('market.pages'),
    rowsFor: (search) =>
      [...pages]
        .filter(([, name]) => name.toLowerCase().includes(search.trim().toLowerCase()))
        .map(([path, name]) => ({ id: path, content: name, run: () => go(path) })),
  };
  return (
    <Dialog open onClose={onClose} title={t('market.searchPages')} closeLabel={t('common.close')}>
      <div className="flex h-[60dvh] flex-col">
        <MarketList autoFocus groups={groups} chosen="" also={also} onChoose={(item) => go(spotAddress(item))} />
      </div>
    </Dialog>
  );
}
