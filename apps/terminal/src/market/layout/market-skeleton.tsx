import { Skeleton } from '@bourse/ui';

/** Panels of the final size while the catalogue is on its way. */
export function MarketSkeleton() {
  return (
    <div className="flex min-h-[70vh] flex-1 flex-col gap-1 p-1" aria-busy="true">
      <Skeleton className="h-14 w-full" />
      <div className="grid flex-1 gap-1 lg:grid-cols-[1fr_280px_320px]">
        <Skeleton className="h-full" />
        <Skeleton className="h-full max-lg:hidden" />
        <Skeleton className="h-full max-lg:hidden" />
      </div>
    </div>
  );
}
