import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import { NEWS } from '@bourse/contract';
import { CountBadge, countText, cx, Menu, MenuItem, MenuSeparator } from '@bourse/ui';
import { api } from '../core/api.js';
import { useInbox } from '../core/notifications/inbox.js';
import { hasScreen } from '../paths.js';

/** The person's latest notices, the newest five notices for everybody, and the link to all of them. */
export function NoticeMenu() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const { latest, unread } = useInbox();
  const { data } = useQuery({
    queryKey: [...keys.news(NEWS.notices), i18n.language, 'menu'],
    staleTime: 60_000,
    enabled: hasScreen('/noticeList'),
    queryFn: async () =>
      (await api.post('/api/news/list', { c_id: NEWS.notices, limit: 5 }, { quiet: true })).message.list.slice(0, 5),
  });
  if (!hasScreen('/noticeList')) return null;
  return (
    <Menu
      label={
        unread === 0 ? t('nav.notices') : t('notice.unread', { label: t('nav.notices'), count: countText(unread) })
      }
      trigger={
        <span className="relative grid size-9 place-items-center">
          <Bell size={16} aria-hidden />
          <CountBadge count={unread} />
        </span>
      }
    >
      {latest.length > 0 && <Heading>{t('nav.messages')}</Heading>}
      {latest.map((notice) => (
        <MenuItem key={notice.id} onSelect={() => void navigate(`/msgDetail?id=${notice.id}`)}>
          <span className="flex min-w-0 items-center gap-2">
            <span
              aria-hidden
              className={cx(
                'keeps-colours size-2 shrink-0 rounded-full',
                notice.is_read === 0 ? 'bg-down' : 'bg-transparent',
              )}
            />
            <span className={cx('max-w-72 truncate', notice.is_read === 0 && 'font-semibold')}>{notice.title}</span>
          </span>
        </MenuItem>
      ))}
      {latest.length > 0 && (
        <>
          <MenuItem onSelect={() => void navigate('/account/accountMessage')}>
            <span className="text-t2">{t('notice.allMessages')}</span>
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      <Heading>{t('nav.notices')}</Heading>
      {data?.map((notice) => (
        <MenuItem key={notice.id} onSelect={() => void navigate(`/noticeDetail?id=${notice.id}`)}>
          <span className="max-w-72 truncate">{notice.title}</span>
        </MenuItem>
      ))}
      {data?.length === 0 && <p className="px-3 py-2 text-t2">{t('notice.empty')}</p>}
      <MenuItem onSelect={() => void navigate('/noticeList')}>
        <span className="text-t2">{t('notice.all')}</span>
      </MenuItem>
    </Menu>
  );
}

/** Heading of a part of the menu, hidden from screen readers. */
const Heading = ({ children }: { children: string }) => (
  <p aria-hidden className="px-3 pt-2 pb-1 text-label text-t2">
    {children}
  </p>
);
