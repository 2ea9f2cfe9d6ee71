import { useEffect, useState, type MouseEvent } from 'react';

/**
 * A text as its readers see it. Cleaned by the rules that clean it on their page; the server cleans it again when it is
 * written. Links of the exchange open apart, because the console has other pages.
 */
export function NewsContent({ html, className }: { html: string; className?: string }) {
  const [clean, setClean] = useState('');
  useEffect(() => {
    let gone = false;
    void import('dompurify').then(({ default: purify }) => {
      if (gone) return;
      setClean(
        purify.sanitize(html, {
          FORBID_TAGS: ['style', 'form', 'input'],
          FORBID_ATTR: ['style', 'class', 'id'],
          ADD_ATTR: ['target'],
        }),
      );
    });
    return () => {
      gone = true;
    };
  }, [html]);
  const follow = (event: MouseEvent): void => {
    const href = (event.target as Element).closest('a')?.href;
    if (!href) return;
    event.preventDefault();
    window.open(href, '_blank', 'noopener');
  };
  // The links inside take the keys; this listener only keeps the page where it is.
  return <div className={className} onClick={follow} dangerouslySetInnerHTML={{ __html: clean }} />;
}
