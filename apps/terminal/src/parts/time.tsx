import { localTime, NO_NUMBER, Num, timeOf } from '@bourse/ui';

/** A server time in the reader's zone, UTC on hover. */
export function Time({ children }: { children: string }) {
  const at = timeOf(children);
  if (at === undefined) return <>{NO_NUMBER}</>;
  return (
    <time dateTime={new Date(at).toISOString()} title={`${children} UTC`}>
      <Num>{localTime(at)}</Num>
    </time>
  );
}
