import { localTime, NO_NUMBER, Num, timeOf } from '@bourse/ui';

/** A server time in the reader's zone, UTC on hover. */
export function TimeCell({ children }: { children: string }) {
  const at = timeOf(children);
  return (
    <time
      dateTime={at === undefined ? undefined : new Date(at).toISOString()}
      title={at === undefined ? undefined : `${children} UTC`}
    >
      <Num>{at === undefined ? NO_NUMBER : localTime(at)}</Num>
    </time>
  );
}
