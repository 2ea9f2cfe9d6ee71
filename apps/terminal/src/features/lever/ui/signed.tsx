import { cx, directionOf, formatAmount, Num } from '@bourse/ui';

/** A gain or a loss: sign and colour together. */
export function Signed({ children, unit }: { children: string; unit?: string }) {
  const direction = directionOf(children);
  return (
    <Num className={cx(direction > 0 && 'text-up', direction < 0 && 'text-down')}>
      {direction > 0 && '+'}
      {formatAmount(children, 8)}
      {unit !== undefined && ` ${unit}`}
    </Num>
  );
}
