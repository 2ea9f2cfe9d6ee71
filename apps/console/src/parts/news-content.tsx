import type { MouseEvent } from 'react';
import { useCleanHtml } from '@bourse/web';

/**
 * A text as its readers see it, sanitized by the rules of the readers' page; the server sanitizes it again when it is
 * saved. Links of the exchange open apart, because the console has other pages.
 */
export function NewsContent({ html, className }: { html: string; className?: string }) {
  const clean = useCleanHtml(html);
  const follow = (event: MouseEvent): void => {
    const href = (event.target as Element).closest('a')?.href;
    if (!href) return;
    event.preventDefault();
    window.open(href, '_blank', 'noopener');
  };
  // Links handle their own keys; this listener only prevents navigation.
  return <div className={className} onClick={follow} dangerouslySetInnerHTML={{ __html: clean }} />;
}
