import { twoDigits } from '@bourse/ui';

/**
 * The remaining time, `23:59:08` from an hour on and `9:08` below it, never below zero. `ms`: a second that has begun
 * counts.
 */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const rest = `${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  return seconds >= 3_600 ? `${twoDigits(Math.floor(seconds / 3_600))}:${rest}` : rest.replace(/^0(?=\d:)/, '');
}
