import { UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { masked, Menu, MenuItem, MenuSeparator, Num } from '@bourse/ui';
import { useSession } from '../core/session.js';
import { shown } from './nav.js';
import { useLogOut } from './use-log-out.js';
import { useViewer } from './use-viewer.js';
import { USER_LINKS } from './user-nav.js';

/** The person's name, pages and sign-out, in the header. */
export function AccountMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const viewer = useViewer();
  const info = useSession((session) => session.info);
  const logOut = useLogOut();
  return (
    <Menu label={t('nav.account')} trigger={<UserRound size={16} aria-hidden />}>
      {info && (
        <div className="px-3 py-2 text-table text-t2">
          <Num>{masked(info.account_number)}</Num>
          <br />
          {t('nav.uid')} <Num>{info.id}</Num>
        </div>
      )}
      <MenuSeparator />
      {shown(USER_LINKS, viewer).map((link) => (
        <MenuItem key={link.path} onSelect={() => void navigate(link.path)}>
          {t(link.text)}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void logOut()}>{t('nav.logout')}</MenuItem>
    </Menu>
  );
}
