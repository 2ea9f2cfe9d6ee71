import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavingsConfig } from '@bourse/contract';
import { cx, nextChoice, Num } from '@bourse/ui';
import { rateText } from './money.js';

/** The terms with what each pays: one tab stop, arrows move and choose. */
export function TermChoice({
  terms,
  chosen,
  onChoose,
}: {
  terms: readonly SavingsConfig[];
  chosen: SavingsConfig;
  onChoose: (id: number) => void;
}) {
  const { t } = useTranslation();
  const group = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent): void => {
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const next = nextChoice(event.key, terms.length, terms.indexOf(chosen), rtl);
    const term = next === undefined ? undefined : terms[next];
    if (!term) return;
    event.preventDefault();
    onChoose(term.id);
    group.current?.querySelector<HTMLElement>(`[data-term="${term.id}"]`)?.focus();
  };
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden className="text-table text-t2">
        {t('savings.term')}
      </span>
      <div
        ref={group}
        role="radiogroup"
        aria-label={t('savings.term')}
        onKeyDown={onKey}
        className="grid grid-cols-[repeat(auto-fit,minmax(4rem,1fr))] gap-2"
      >
        {terms.map((term) => {
          const on = term === chosen;
          return (
            <button
              key={term.id}
              type="button"
              role="radio"
              aria-checked={on}
              tabIndex={on ? 0 : -1}
              data-term={term.id}
              onClick={() => onChoose(term.id)}
              className={cx(
                'flex min-h-13 flex-col items-center justify-center rounded-panel border px-1 py-1',
                on ? 'border-accent bg-bg3 text-t1' : 'border-line-strong text-t2 hover:text-t1',
              )}
            >
              <span className="text-body font-medium">{t('savings.days', { count: term.day })}</span>
              <Num className="text-table">{rateText(term.interest_rate)}</Num>
            </button>
          );
        })}
      </div>
    </div>
  );
}
