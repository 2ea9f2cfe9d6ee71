import { useId, type ReactNode } from 'react';
import { cx } from '@bourse/ui';

/** A labelled field of several lines. */
export function LongField({
  name,
  max,
  dir = 'auto',
  label,
  value,
  error,
  hint,
  rows,
  onChange,
}: {
  name?: string;
  /** Characters that the call takes at most. */
  max?: number;
  dir?: 'auto' | 'ltr' | 'rtl';
  label: string;
  value: string;
  error?: string | undefined;
  hint?: ReactNode;
  rows: number;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-table text-t2">
        {label}
      </label>
      <textarea
        id={id}
        name={name}
        maxLength={max}
        dir={dir}
        rows={rows}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        onChange={(event) => onChange(event.target.value)}
        className={cx(
          'rounded-panel border bg-bg2 px-3 py-2 text-body text-t1',
          error ? 'border-down' : 'border-line-strong',
        )}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-label text-t2">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-table text-down">
          {error}
        </p>
      )}
    </div>
  );
}
