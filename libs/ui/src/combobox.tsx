import { ChevronDown } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from './class-names.js';
import { findOptions, type Option } from './options.js';

export interface ComboboxProps<T extends string> {
  label: ReactNode;
  options: readonly Option<T>[];
  value: T | undefined;
  onChange: (value: T) => void;
  /** Shown when nothing is found. */
  empty: ReactNode;
  placeholder?: string;
  error?: string | undefined;
  disabled?: boolean;
  className?: string;
}

/**
 * A field with a list under it (ARIA combobox): focus stays in the field, the arrows move `aria-activedescendant`,
 * Enter takes the marked row (the first one after typing), Escape restores the earlier text.
 */
export function Combobox<T extends string>(props: ComboboxProps<T>) {
  const { label, options, value, onChange, empty, placeholder, error, disabled, className } = props;
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState<string | undefined>();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const chosen = options.find((option) => option.value === value);
  const found = findOptions(options, typed ?? '');
  const show = (at = Math.max(0, typed === undefined && chosen ? found.indexOf(chosen) : 0)): void => {
    setOpen(true);
    setActive(at);
  };
  const hide = (): void => {
    setOpen(false);
    setTyped(undefined);
  };
  const take = (option: Option<T> | undefined): void => {
    if (!option) return;
    onChange(option.value);
    hide();
  };
  const move = (to: number): void => {
    const next = (to + found.length) % Math.max(1, found.length);
    setActive(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && open) {
      event.stopPropagation();
      hide();
    } else if (event.key === 'Enter' && open) take(found[active]);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (open) move(active + (event.key === 'ArrowDown' ? 1 : -1));
      else show();
    } else return;
    event.preventDefault();
  };
  return (
    <div className={cx('relative flex flex-col gap-1', className)}>
      <label htmlFor={id} className="text-table text-t2">
        {label}
      </label>
      <div
        className={cx(
          'flex h-10 items-center gap-2 rounded-panel border bg-bg2 px-3 focus-within:outline-2 ' +
            'focus-within:outline-offset-2 focus-within:outline-accent',
          error ? 'border-down' : 'border-line-strong',
          disabled && 'opacity-50',
        )}
      >
        <input
          id={id}
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          disabled={disabled}
          placeholder={placeholder}
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={open && found[active] ? `${id}-${active}` : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          value={typed ?? chosen?.text ?? ''}
          onChange={(event) => {
            setTyped(event.target.value);
            show(0);
          }}
          onClick={() => show()}
          onBlur={hide}
          onKeyDown={onKey}
          className="min-w-0 flex-1 bg-transparent text-body text-t1 outline-none placeholder:text-t3"
        />
        <ChevronDown size={16} aria-hidden className="shrink-0 text-t2" />
      </div>
      <ul
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={typeof label === 'string' ? label : undefined}
        hidden={!open || found.length === 0}
        className={
          'absolute inset-x-0 top-full z-50 mt-1 max-h-64 overflow-auto ' +
          'rounded-panel border border-line bg-bg1 p-1 shadow-lg'
        }
      >
        {found.map((option, at) => (
          <li
            key={option.value}
            id={`${id}-${at}`}
            role="option"
            aria-selected={option.value === value}
            // Pressing a row must not take the focus out of the field.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
            className={cx(
              'flex min-h-8 cursor-pointer items-center rounded-chip px-2 text-body',
              at === active ? 'bg-bg3 text-t1' : 'text-t2',
            )}
          >
            {option.row ?? option.text}
          </li>
        ))}
      </ul>
      {open && found.length === 0 && (
        <p
          role="status"
          className={
            'absolute inset-x-0 top-full z-50 mt-1 rounded-panel border ' + 'border-line bg-bg1 p-3 text-t2 shadow-lg'
          }
        >
          {empty}
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
