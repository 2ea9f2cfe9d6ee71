import { Suspense, useEffect, useState } from 'react';
import { lazyScreen } from '@bourse/web';
import { loadWithTexts } from '../core/i18n.js';
import { onSearch } from '../core/search-key.js';

/** Its code and texts come with the first press of the key. */
const SearchDialog = lazyScreen(() => loadWithTexts(import('./search-dialog.js'), ['trade', 'desk']));

/** The search of pairs, own orders, pages and actions, which Ctrl+K opens on every page. */
export function Search() {
  const [open, setOpen] = useState(false);
  useEffect(() => onSearch(() => setOpen(true)), []);
  return <Suspense>{open && <SearchDialog onClose={() => setOpen(false)} />}</Suspense>;
}
