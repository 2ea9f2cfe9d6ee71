import { useEffect, useState } from 'react';

/** Cleaned on the server when written and when read; cleaned once more here, because it becomes markup. */
export function NewsContent({ html, className }: { html: string; className?: string }) {
  const [clean, setClean] = useState('');
  useEffect(() => {
    let gone = false;
    void import('dompurify').then(({ default: purify }) => {
      if (gone) return;
      setClean(
        purify.sanitize(html, { FORBID_TAGS: ['style', 'form', 'input'], FORBID_ATTR: ['style', 'class', 'id'] }),
      );
    });
    return () => {
      gone = true;
    };
  }, [html]);
  return <div className={className} dangerouslySetInnerHTML={{ __html: clean }} />;
}
