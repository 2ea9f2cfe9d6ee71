import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { buttonClasses, type ButtonKind, type ButtonSize } from '@bourse/ui';

/** A way to another page that looks like a button. */
export function LinkButton({
  to,
  kind,
  size,
  children,
}: {
  to: string;
  kind?: ButtonKind;
  size?: ButtonSize;
  children: ReactNode;
}) {
  return (
    <Link to={to} className={buttonClasses(kind, size)}>
      {children}
    </Link>
  );
}
