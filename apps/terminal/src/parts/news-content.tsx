import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { cx } from '@bourse/ui';
import { useCleanHtml } from '@bourse/web';
import type { newsText } from './news-text.js';

interface Props extends Partial<ReturnType<typeof newsText>> {
  html: string;
  className?: string;
}

/**
 * Cleaned on the server when written and when read; cleaned once more here, because it becomes markup. Links to our own
 * pages change the page without loading it again.
 */
export function NewsContent({ html, className, ...written }: Props) {
  const navigate = useNavigate();
  const clean = useCleanHtml(html);
  const follow = (event: MouseEvent): void => {
    const href = (event.target as Element).closest('a')?.getAttribute('href');
    if (!href?.startsWith('/') || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(href);
  };
  // The links inside take the keys; this listener only spares them a load.
  return (
    <div
      {...written}
      className={cx('[&_a]:text-accent [&_a]:underline', className)}
      onClick={follow}
      dangerouslySetInnerHTML={{ __html: clean }}
    />
  );
}
