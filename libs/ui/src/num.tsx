import { Fragment, type ReactNode } from 'react';
import { cx } from './class-names.js';
import { arrowOf, directionOf, formatChange } from './format.js';

/** A number, pair, code or address. Always left to right: without it "+2.41%" reads "2.41%+" in Arabic. */
export function Num({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <bdi dir="ltr" className={cx('num', className)}>
      {typeof children === 'string' ? closeHyphens(children) : children}
    </bdi>
  );
}

/** Tabular figures make a hyphen as wide as a figure: within a date or a code it keeps its own width. */
function closeHyphens(text: string): ReactNode {
  const parts = text.split(/(?<=[\dA-Za-z])-(?=[\dA-Za-z])/);
  if (parts.length === 1) return text;
  return parts.map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <span className="num-hyphen">-</span>}
      {part}
    </Fragment>
  ));
}

/** A change in percent: colour, sign and arrow together. */
export function Change({ value, className }: { value: string; className?: string }) {
  const direction = directionOf(value);
  return (
    <bdi dir="ltr" className={cx('num', direction > 0 && 'text-up', direction < 0 && 'text-down', className)}>
      {arrowOf(value)}
      {direction === 0 ? '' : ' '}
      {formatChange(value)}
    </bdi>
  );
}
