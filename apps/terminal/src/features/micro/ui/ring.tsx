const RADIUS = 8;
const LENGTH = 2 * Math.PI * RADIUS;

/** How much of the time is left, as a ring; the digits beside it say it in words. @param part 0..1 */
export function Ring({ part }: { part: number }) {
  const shown = Math.min(1, Math.max(0, part));
  return (
    <svg aria-hidden width={20} height={20} viewBox="0 0 20 20" className="shrink-0 -rotate-90">
      <circle cx={10} cy={10} r={RADIUS} fill="none" strokeWidth={3} className="stroke-bg3" />
      <circle
        cx={10}
        cy={10}
        r={RADIUS}
        fill="none"
        strokeWidth={3}
        strokeDasharray={LENGTH}
        strokeDashoffset={LENGTH * (1 - shown)}
        className="stroke-accent"
      />
    </svg>
  );
}
