import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';
import { latinDigits } from './latin-digits.js';
import { cx } from './class-names.js';
import { typedCode } from './typed-code.js';

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'prefix'> {
  label: ReactNode;
  /** Unit or button at the end of the field. */
  suffix?: ReactNode;
  hint?: ReactNode;
  /** Text of the error; tied to the input, and announced. */
  error?: string | undefined;
  /** Numbers, codes and addresses: always left to right, end-aligned digits. */
  numeric?: boolean;
  /** Addresses and hashes: left to right, in the mono face with its slashed zero. */
  mono?: boolean;
  /** Label inside the box at its start, as in the order ticket. */
  compact?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** Keyboards of other scripts write other digits; a field of numbers takes them as 0 to 9 [CLIENT-206]. */
function writeLatinDigits(input: HTMLInputElement): void {
  const written = latinDigits(input.value);
  if (written === input.value) return;
  const caret = input.selectionStart;
  input.value = written;
  input.setSelectionRange(caret, caret);
}

/** One labelled input. The error is shown beside it and tied to it by `aria-describedby`. */
export function Field({
  label,
  suffix,
  hint,
  error,
  numeric = false,
  mono = false,
  compact = false,
  className,
  id,
  onChange,
  'aria-invalid': isInvalid,
  ...rest
}: FieldProps) {
  const own = useId();
  const inputId = id ?? own;
  const hintId = `${inputId}-hint`;
  const errorId = `${inputId}-error`;
  const described = [error ? errorId : '', hint ? hintId : ''].filter(Boolean).join(' ');
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      {!compact && (
        <label htmlFor={inputId} className="text-table text-t2">
          {label}
        </label>
      )}
      <div
        className={cx(
          'flex h-10 items-center gap-2 rounded-panel border bg-bg2 px-3 focus-within:outline-2 ' +
            'focus-within:outline-offset-2 focus-within:outline-accent',
          error ? 'border-down' : 'border-line-strong',
        )}
      >
        {compact && (
          <label htmlFor={inputId} className="shrink-0 text-table text-t2">
            {label}
          </label>
        )}
        <input
          id={inputId}
          dir={numeric || mono ? 'ltr' : undefined}
          inputMode={numeric ? 'decimal' : undefined}
          autoComplete={numeric || mono ? 'off' : undefined}
          spellCheck={mono ? false : undefined}
          aria-invalid={error ? true : isInvalid}
          aria-describedby={described || undefined}
          className={cx(
            'min-w-0 flex-1 bg-transparent text-body text-t1 outline-none placeholder:text-t3',
            numeric && 'num text-right rtl:text-left',
            mono && 'font-mono',
          )}
          {...rest}
          onChange={(event) => {
            if (numeric) writeLatinDigits(event.target);
            onChange?.(event);
          }}
        />
        {suffix !== undefined && <span className="shrink-0 text-table text-t2">{suffix}</span>}
      </div>
      {hint && (
        <p id={hintId} className="text-label text-t2">
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} role="alert" className="text-table text-down">
          {error}
        </p>
      )}
    </div>
  );
}

/**
 * A one-time code. Other characters are dropped before the text is cut to its length: a code is pasted with blanks,
 * hyphens and words around it [CLIENT-202].
 */
export function OneTimeCodeField({
  length,
  onCode,
  ...field
}: Omit<FieldProps, 'numeric' | 'inputMode' | 'autoComplete' | 'maxLength' | 'onChange'> & {
  length: number;
  onCode: (code: string) => void;
}) {
  return (
    <Field
      {...field}
      numeric
      inputMode="numeric"
      autoComplete="one-time-code"
      onChange={(event) => onCode(typedCode(event.target.value, length))}
    />
  );
}

export interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  className?: string;
  hideLabel?: boolean;
}
/** The browser's own list box: small, usable by keyboard, and native on phones. */
export function Select<T extends string>({
  label,
  value,
  options,
  onChange,
  className,
  hideLabel = false,
}: SelectProps<T>) {
  const id = useId();
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-table text-t2'}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value as T)}
        className="h-10 rounded-panel border border-line-strong bg-bg2 px-3 text-body text-t1"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
