import { ChevronDown, Megaphone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { NEWS } from '@bourse/contract';
import { Menu, MenuItem, MenuSeparator, Skeleton } from '@bourse/ui';
import { newsText } from '../../../parts/news-text.js';
import { useNews } from '../../../parts/use-news.js';

/** Lines that the strip has room for (rules §17: two). */
const LINES = 2;

/** The newest lines of category 35 side by side, and the newest notices in a menu. */
export function Strip() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const lines = useNews(NEWS.strip, LINES);
  const notices = useNews(NEWS.notices);
  return (
    <section
      aria-label={t('home.notices')}
      className="flex min-h-11 items-center gap-3 rounded-panel border border-line bg-bg1 px-4 text-body"
    >
      <Megaphone size={16} aria-hidden className="shrink-0 text-t2 max-md:hidden" />
      <ul className="grid min-w-0 flex-1 gap-x-6 py-1 max-md:min-h-14 max-md:content-center md:grid-cols-2">
        {lines === undefined ? (
          <li>
            <Skeleton className="h-4 w-1/2" />
          </li>
        ) : (
          lines.slice(0, LINES).map((line) => (
            <li key={line.id} className="flex min-w-0">
              <Link to={`/noticeDetail?id=${line.id}`} className="truncate py-0.5 hover:underline" {...newsText(line)}>
                {line.title}
              </Link>
            </li>
          ))
        )}
      </ul>
      <Menu label={t('home.notices')} trigger={<ChevronDown size={16} aria-hidden />}>
        {notices?.map((notice) => (
          <MenuItem key={notice.id} onSelect={() => void navigate(`/noticeDetail?id=${notice.id}`)}>
            <span className="max-w-64 truncate" {...newsText(notice)}>
              {notice.title}
            </span>
          </MenuItem>
        ))}
        {notices?.length === 0 && <p className="px-3 py-2 text-t2">{t('notice.empty')}</p>}
        <MenuSeparator />
        <MenuItem onSelect={() => void navigate('/noticeList')}>{t('notice.all')}</MenuItem>
      </Menu>
    </section>
  );
}
