export const SPEEDS = [1, 5, 15, 60] as const;
export type Speed = (typeof SPEEDS)[number];

/** The moment of a replay, and its speed. */
export interface ReplayClock {
  /** Recorded time, ms. */
  readonly at: number;
  readonly speed: Speed;
  readonly isRunning: boolean;
}

/** A step of real time that is longer, as after a sleep, counts as this: the day must not run away unseen. */
const STEP_MS_MAX = 1_000;

/** The clock after some real time; it stops at the end. */
export function advance(clock: ReplayClock, realMs: number, end: number): ReplayClock {
  if (!clock.isRunning) return clock;
  const step = Math.min(Math.max(0, realMs), STEP_MS_MAX) * clock.speed;
  const at = Math.min(end, clock.at + step);
  return { ...clock, at, isRunning: at < end };
}

/** The clock at another moment of the day; it never goes back behind `earliest`. */
export const seek = (clock: ReplayClock, to: number, earliest: number, end: number): ReplayClock => {
  const at = Math.min(end, Math.max(earliest, to));
  return { ...clock, at, isRunning: clock.isRunning && at < end };
};
