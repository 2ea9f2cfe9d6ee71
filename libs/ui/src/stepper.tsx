import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './class-names.js';

export interface Step {
  id: string;
  title: ReactNode;
  hint?: ReactNode;
}

/** Progress through several steps. `current` counts from 0; `steps.length` means all are done. */
export function Stepper({
  label,
  steps,
  current,
  doneLabel,
}: {
  label: string;
  steps: readonly Step[];
  current: number;
  /** Announced to screen readers at a step that is done. */
  doneLabel: string;
}) {
  return (
    <ol aria-label={label} className="flex flex-wrap gap-x-6 gap-y-3">
      {steps.map((step, at) => {
        const done = at < current;
        return (
          <li key={step.id} aria-current={at === current ? 'step' : undefined} className="flex items-start gap-2">
            <span
              aria-hidden
              className={cx(
                'num grid size-6 shrink-0 place-items-center rounded-full border text-table',
                done && 'border-up text-up',
                at === current && 'border-accent bg-accent text-bg1',
                at > current && 'border-line-strong text-t2',
              )}
            >
              {done ? <Check size={14} /> : at + 1}
            </span>
            <span className="flex flex-col">
              <span className={cx('text-body', at > current ? 'text-t2' : 'text-t1')}>
                {step.title}
                {done && <span className="sr-only"> ({doneLabel})</span>}
              </span>
              {step.hint !== undefined && <span className="text-table text-t2">{step.hint}</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
