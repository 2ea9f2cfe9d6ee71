/** The step of a percent slider. */
const STEP = 25;

/** The step that is nearest to where the slider was pressed or dragged. */
export const nearestStep = (percent: number): number => Math.min(100, Math.max(0, Math.round(percent / STEP) * STEP));

/** The step that a key leads to from any percent; undefined for keys that do not move. */
export function stepByKey(key: string, percent: number): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return 100;
  if (key === 'ArrowRight' || key === 'ArrowUp' || key === 'PageUp')
    return Math.min(100, Math.floor(percent / STEP) * STEP + STEP);
  if (key === 'ArrowLeft' || key === 'ArrowDown' || key === 'PageDown')
    return Math.max(0, Math.ceil(percent / STEP) * STEP - STEP);
  return undefined;
}
