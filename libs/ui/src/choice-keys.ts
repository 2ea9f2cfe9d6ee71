/** The index to which a key moves among `count` choices in a ring; undefined for keys that do not move. */
export function nextChoice(key: string, count: number, now: number, rtl: boolean): number | undefined {
  if (count === 0) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const forward = key === 'ArrowDown' || key === (rtl ? 'ArrowLeft' : 'ArrowRight');
  const back = key === 'ArrowUp' || key === (rtl ? 'ArrowRight' : 'ArrowLeft');
  if (!forward && !back) return undefined;
  return (Math.max(now, 0) + (forward ? 1 : -1) + count) % count;
}
