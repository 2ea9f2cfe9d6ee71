import { Suspense } from 'react';
import { Skeleton } from '@bourse/ui';
import { lazyScreen } from '@bourse/web';

/** The verifier is loaded where a receipt is checked, and nowhere else. */
const CheckList = lazyScreen(async () => ({ default: (await import('./check-list.js')).CheckList }));

/** @param publishedKey what the exchange publishes for the time of the receipt; null where nobody knows it */
export function ReceiptChecks(props: { file: unknown; publishedKey: string | null }) {
  return (
    <Suspense fallback={<Skeleton className="h-72 w-full" />}>
      <CheckList {...props} />
    </Suspense>
  );
}
