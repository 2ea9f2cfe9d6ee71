import type { Bar } from '@bourse/contract';

/** Which bar the arrows lead to: one step, ten with Shift, ends with Home and End. Undefined for other keys. */
export function stepBar(key: string, shift: boolean, at: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined;
  const step = shift ? 10 : 1;
  const from = at ?? count;
  const next =
    key === 'ArrowLeft'
      ? from - step
      : key === 'ArrowRight'
        ? from + step
        : key === 'Home'
          ? 0
          : key === 'End'
            ? count - 1
            : undefined;
  return next === undefined ? undefined : Math.min(count - 1, Math.max(0, next));
}

/** Open, high, low, close and change of a bar as texts, for the reader and the table. */
export function barTexts(
  bar: Bar,
  priceScale: number,
): { open: string; high: string; low: string; close: string; change: string } {
  const text = (value: number): string => value.toFixed(priceScale);
  const change = bar.open === 0 ? 0 : ((bar.close - bar.open) / bar.open) * 100;
  return {
    open: text(bar.open),
    high: text(bar.high),
    low: text(bar.low),
    close: text(bar.close),
    change: `${change > 0 ? '+' : ''}${change.toFixed(2)}%`,
  };
}

const STEP_PX = 1;
const LONG_STEP_PX = 10;
/** The step of an arrow in pixels, ten times as far with Shift. Undefined for other keys. */
export function stepOfArrow(key: string, shift: boolean): { readonly x: number; readonly y: number } | undefined {
  const step = shift ? LONG_STEP_PX : STEP_PX;
  if (key === 'ArrowUp') return { x: 0, y: -step };
  if (key === 'ArrowDown') return { x: 0, y: step };
  if (key === 'ArrowLeft') return { x: -step, y: 0 };
  return key === 'ArrowRight' ? { x: step, y: 0 } : undefined;
}

/** The place of a line after an arrow up or down, in pixels. Undefined for other keys. */
export function steppedY(key: string, shift: boolean, y: number): number | undefined {
  const step = stepOfArrow(key, shift);
  return step === undefined || step.y === 0 ? undefined : y + step.y;
}
