import { Check } from 'lucide-react';
import { useId, useRef, type InputHTMLAttributes, type KeyboardEvent, type ReactNode } from 'react';
import { nextChoice } from './choice-keys.js';
import { cx } from './class-names.js';

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: ReactNode;
}

/** A platform checkbox drawn by the tokens; forced colours get the browser's own drawing. */
export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label
      className={cx(
        'inline-flex min-h-6 cursor-pointer items-center gap-2 text-table text-t2 ' +
          'has-disabled:cursor-not-allowed has-disabled:opacity-50',
        className,
      )}
    >
      <span className="relative grid size-4 shrink-0 place-items-center">
        <input
          type="checkbox"
          className={
            'peer size-4 cursor-[inherit] appearance-none rounded-chip border border-line-strong bg-bg2 ' +
            'checked:border-accent checked:bg-accent aria-invalid:border-down forced-colors:appearance-auto'
          }
          {...rest}
        />
        <Check
          aria-hidden
          size={12}
          strokeWidth={3}
          className="pointer-events-none absolute hidden text-bg1 peer-checked:block forced-colors:!hidden"
        />
      </span>
      {label}
    </label>
  );
}

/** On or off, with effect at once; the hint says what it does. */
export function Switch({
  label,
  hint,
  checked,
  disabled = false,
  busy = false,
  onChange,
}: {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  /** Locked until the server has answered. */
  busy?: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className={cx('flex items-center justify-between gap-4', disabled && 'opacity-50')}>
      <span className="flex min-w-0 flex-col">
        <span id={`${id}-label`} className="text-body">
          {label}
        </span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="text-table text-t2">
            {hint}
          </span>
        )}
      </span>
      <button
        type="button"
        role="switch"
        aria-checked={checked}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        aria-busy={busy || undefined}
        disabled={disabled || busy}
        onClick={() => onChange(!checked)}
        className={cx(
          'flex h-6 w-11 shrink-0 items-center rounded-full border px-0.5 disabled:cursor-not-allowed',
          checked ? 'justify-end border-accent bg-accent' : 'justify-start border-line-strong bg-bg2',
        )}
      >
        <span aria-hidden className={cx('size-4.5 rounded-full', checked ? 'bg-bg1' : 'bg-t2')} />
      </button>
    </div>
  );
}

export interface Choice<T extends string> {
  value: T;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
  /** Words for readers where the label is a sign or a short form: "1 minute" for "1m". */
  spoken?: string;
}

/** One of several choices, each with room for text. Native radio buttons handle the arrow keys. */
export function RadioGroup<T extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: ReactNode;
  value: T | undefined;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-table text-t2">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className={
            'flex min-h-6 cursor-pointer items-start gap-2 text-body ' +
            'has-disabled:cursor-not-allowed has-disabled:opacity-50'
          }
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            disabled={choice.disabled}
            onChange={() => onChange(choice.value)}
            className={
              'mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-line-strong bg-bg2 ' +
              'checked:border-5 checked:border-accent forced-colors:appearance-auto'
            }
          />
          <span className="flex flex-col">
            {choice.label}
            {choice.hint !== undefined && <span className="text-table text-t2">{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** A few short choices in one line: one tab stop, arrows move and choose (ARIA radio group). */
export function Segmented<T extends string>({
  label,
  value,
  choices,
  onChange,
  look = 'filled',
  className,
}: {
  label: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
  /** `filled` has a box of its own, `bare` is for use between other controls of a bar. */
  look?: 'filled' | 'bare';
  className?: string;
}) {
  const group = useRef<HTMLDivElement>(null);
  const open = choices.filter((choice) => choice.disabled !== true);
  const onKey = (event: KeyboardEvent): void => {
    const next = nextChoice(event.key, open.length, at(open, value), isRtl(event.currentTarget));
    const chosen = next === undefined ? undefined : open[next];
    if (!chosen) return;
    event.preventDefault();
    onChange(chosen.value);
    group.current?.querySelector<HTMLElement>(`[data-value="${chosen.value}"]`)?.focus();
  };
  const stop = open.some((choice) => choice.value === value) ? value : open[0]?.value;
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      onKeyDown={onKey}
      className={cx('flex gap-0.5', look === 'filled' && 'w-max rounded-panel bg-bg2 p-0.5', className)}
    >
      {choices.map((choice) => {
        const chosen = choice.value === value;
        return (
          <button
            key={choice.value}
            type="button"
            role="radio"
            data-value={choice.value}
            aria-checked={chosen}
            aria-label={choice.spoken}
            tabIndex={choice.value === stop ? 0 : -1}
            disabled={choice.disabled}
            onClick={() => onChange(choice.value)}
            className={cx(
              'h-7 rounded-chip px-2 text-table whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-50',
              chosen ? 'bg-bg3 text-t1 forced-colors:outline-2' : 'text-t2 hover:text-t1',
            )}
          >
            {choice.label}
          </button>
        );
      })}
    </div>
  );
}

const at = <T extends string>(choices: readonly Choice<T>[], value: T): number =>
  choices.findIndex((choice) => choice.value === value);
const isRtl = (element: Element): boolean => getComputedStyle(element).direction === 'rtl';
