import { useEffect, useState } from 'react';

/** The text of a news item, cleaned for the page; empty until the cleaner is loaded. The server cleans it as well. */
export function useCleanHtml(html: string): string {
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
  return clean;
}
