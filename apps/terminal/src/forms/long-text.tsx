import { useId } from 'react';

/** A field for sentences. */
export function LongText({
  label,
  hint,
  max,
  value,
  onChange,
  error,
}: {
  label: string;
  hint?: string;
  max: number;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
}) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-table text-t2">
        {label}
      </label>
      <textarea
        id={id}
        rows={4}
        dir="auto"
        maxLength={max}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.value)}
        className="rounded-panel border border-line-strong bg-bg2 px-3 py-2 text-body text-t1"
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
