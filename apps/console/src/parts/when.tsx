import { localTime, NO_NUMBER, Num, timeOf } from '@bourse/ui';

/** A server time (`T`, UTC; `''`: it has not happened) in the operator's zone, UTC on hover. */
export function When({ time }: { time: string | null | undefined }) {
  const at = time ? timeOf(time) : undefined;
  if (at === undefined) return <>{NO_NUMBER}</>;
  return (
    <time dateTime={new Date(at).toISOString()} title={`${time} UTC`}>
      <Num>{localTime(at)}</Num>
    </time>
  );
}
