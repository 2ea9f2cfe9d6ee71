import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, useNavigate } from 'react-router-dom';
import { cx, Menu, MenuItem } from '@bourse/ui';
import type { NavLinkEntry } from './nav.js';

/**
 * The links of the header in one line. What a window or a language has no room for goes into a menu at its end, so that
 * no word is cut and nothing leaves the page.
 */
export function MainNav({ links }: { links: readonly NavLinkEntry[] }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const line = useRef<HTMLDivElement>(null);
  const [fitting, setFitting] = useState(links.length);
  useLayoutEffect(() => {
    const element = line.current;
    if (!element) return undefined;
    // Links that do not fit wrap into lines that are not shown.
    const measure = (): void => {
      const all = [...element.children] as HTMLElement[];
      setFitting(all.filter((link) => link.offsetTop === all[0]?.offsetTop).length);
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [links.length, i18n.language]);
  const rest = links.slice(fitting);
  return (
    <nav aria-label={t('nav.main')} className="ms-2 flex min-w-0 flex-1 items-center gap-1 max-md:hidden">
      <div ref={line} className="flex h-8 min-w-0 flex-1 flex-wrap gap-x-1 overflow-hidden">
        {links.map((link, at) => (
          <NavLink
            key={link.path}
            to={link.path}
            className={({ isActive }) =>
              cx(
                'h-8 rounded-chip px-2 py-1.5 text-button whitespace-nowrap',
                isActive ? 'text-t1' : 'text-t2 hover:text-t1',
                at >= fitting && 'invisible',
              )
            }
          >
            {t(link.text)}
          </NavLink>
        ))}
      </div>
      {rest.length > 0 && (
        <Menu label={t('nav.more')} trigger={<span className="text-button whitespace-nowrap">{t('nav.more')} ▾</span>}>
          {rest.map((link) => (
            <MenuItem key={link.path} onSelect={() => void navigate(link.path)}>
              {t(link.text)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </nav>
  );
}
