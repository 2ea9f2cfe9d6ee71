import type { MouseEvent } from 'react';
import { useCleanHtml } from '@bourse/web';

/**
 * A text as its readers see it. Cleaned by the rules that clean it on their page; the server cleans it again when it is
 * written. Links of the exchange open apart, because the console has other pages.
 */
export function NewsContent({ html, className }: { html: string; className?: string }) {
  const clean = useCleanHtml(html);
  const follow = (event: MouseEvent): void => {
    const href = (event.target as Element).closest('a')?.href;
    if (!href) return;
    event.preventDefault();
    window.open(href, '_blank', 'noopener');
  };
  // The links inside take the keys; this listener only keeps the page where it is.
  return <div className={className} onClick={follow} dangerouslySetInnerHTML={{ __html: clean }} />;
}
