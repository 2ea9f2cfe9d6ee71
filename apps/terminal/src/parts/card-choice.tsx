import { useRef, type KeyboardEvent } from 'react';
import { cx, nextChoice, Num } from '@bourse/ui';

export interface Card {
  readonly value: number;
  readonly title: string;
  /** The figure below the title. */
  readonly figure: string;
}

/** A few choices as cards with a figure each: one tab stop, arrows move and choose (ARIA radio group). */
export function CardChoice({
  label,
  cards,
  chosen,
  onChoose,
  className,
}: {
  label: string;
  cards: readonly Card[];
  chosen: number | undefined;
  onChoose: (value: number) => void;
  className: string;
}) {
  const group = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent): void => {
    const at = cards.findIndex(({ value }) => value === chosen);
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const next = nextChoice(event.key, cards.length, at, rtl);
    const card = next === undefined ? undefined : cards[next];
    if (!card) return;
    event.preventDefault();
    onChoose(card.value);
    group.current?.querySelector<HTMLElement>(`[data-value="${card.value}"]`)?.focus();
  };
  return (
    <div ref={group} role="radiogroup" aria-label={label} onKeyDown={onKey} className={cx('grid gap-2', className)}>
      {cards.map(({ value, title, figure }) => {
        const on = value === chosen;
        return (
          <button
            key={value}
            type="button"
            role="radio"
            aria-checked={on}
            tabIndex={on ? 0 : -1}
            data-value={value}
            onClick={() => onChoose(value)}
            className={cx(
              'flex min-h-13 flex-col items-center justify-center rounded-panel border px-1 py-1',
              on ? 'border-accent bg-bg3 text-t1' : 'border-line-strong text-t2 hover:text-t1',
            )}
          >
            <span className="text-body font-medium">{title}</span>
            <Num className="text-table">{figure}</Num>
          </button>
        );
      })}
    </div>
  );
}
