import { localTime, NO_NUMBER, Num, timeOf } from '@bourse/ui';

/** A server time in the reader's zone, UTC on hover. A line that may wrap breaks between the date and the clock. */
export function Time({ children }: { children: string }) {
  const at = timeOf(children);
  if (at === undefined) return <>{NO_NUMBER}</>;
  const [date, clock] = localTime(at).split(' ');
  return (
    <time dateTime={new Date(at).toISOString()} title={`${children} UTC`}>
      <bdi dir="ltr">
        <Num className="whitespace-nowrap">{date}</Num> <Num className="whitespace-nowrap">{clock}</Num>
      </bdi>
    </time>
  );
}
