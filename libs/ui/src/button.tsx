import type { ButtonHTMLAttributes } from 'react';
import { cx } from './class-names.js';
import { useFormBlocked } from './form.js';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'buy' | 'sell' | 'danger';
export type ButtonSize = 'main' | 'field' | 'small';
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  size?: ButtonSize;
  /** Locked from press to answer; announced to assistive technology. */
  busy?: boolean;
}

const KINDS: Record<ButtonKind, string> = {
  primary: 'bg-t1 text-on-t1 hover:opacity-90',
  secondary: 'border border-line-strong text-t1 hover:bg-bg3',
  quiet: 'text-t2 hover:text-t1 hover:bg-bg3',
  buy: 'bg-up text-on-up hover:opacity-90',
  sell: 'bg-down text-on-down hover:opacity-90',
  danger: 'border border-down text-down hover:bg-bg3',
};
const SIZES: Record<ButtonSize, string> = { main: 'h-11 px-4', field: 'h-10 px-4', small: 'h-7 px-2 text-table' };

/** The classes of a button. A link that acts like a button uses them too. */
export const buttonClasses = (kind: ButtonKind = 'secondary', size: ButtonSize = 'field'): string =>
  cx(
    'inline-flex items-center justify-center gap-2 rounded-panel text-button font-medium whitespace-nowrap select-none',
    KINDS[kind],
    SIZES[size],
  );

/** Buttons that send the form around them. */
const SENDING: ReadonlySet<ButtonKind> = new Set(['primary', 'buy', 'sell', 'danger']);

export function Button({
  kind = 'secondary',
  size = 'field',
  busy = false,
  disabled,
  className,
  type = 'button',
  children,
  ...rest
}: ButtonProps) {
  const blocked = useFormBlocked() && (type === 'submit' || SENDING.has(kind));
  return (
    <button
      type={type}
      disabled={disabled === true || busy || blocked}
      aria-busy={busy || undefined}
      data-danger={kind === 'danger' ? '' : undefined}
      className={cx(buttonClasses(kind, size), 'disabled:cursor-not-allowed disabled:opacity-50', className)}
      {...rest}
    >
      {children}
    </button>
  );
}
