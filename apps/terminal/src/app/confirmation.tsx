import { lazy, Suspense } from 'react';
import { loadWithTexts } from '../core/i18n.js';
import { useConfirmation } from '../core/confirm.js';

/** Its code and texts come with the first question. */
const ConfirmDialog = lazy(() => loadWithTexts(import('./confirm-dialog.js'), ['account', 'server']));

/** The one place where the person is asked for the password again, whichever screen made the call (api §6.16). */
export function Confirmation() {
  const asked = useConfirmation((state) => state.asked);
  return asked ? (
    <Suspense fallback={null}>
      <ConfirmDialog />
    </Suspense>
  ) : null;
}
