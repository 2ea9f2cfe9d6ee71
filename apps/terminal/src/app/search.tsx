import { Suspense, useEffect, useState } from 'react';
import { lazyScreen } from '@bourse/web';
import { loadWithTexts } from '../core/i18n.js';
import { onSearchKey } from '../core/search-key.js';

/** Its code and texts come with the first press of the key. */
const SearchDialog = lazyScreen(() => loadWithTexts(import('./search-dialog.js'), ['trade']));

/** The search of markets and pages, which Ctrl+K opens on every page. */
export function Search() {
  const [open, setOpen] = useState(false);
  useEffect(() => onSearchKey(() => setOpen(true)), []);
  return <Suspense>{open && <SearchDialog onClose={() => setOpen(false)} />}</Suspense>;
}
