import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from '@bourse/ui';

/** Long or short, in word and colour, with what follows it. */
export function PositionSide({ type, className, children }: { type: 1 | 2; className?: string; children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <span className={cx(type === 1 ? 'text-up' : 'text-down', className)}>
      {t(type === 1 ? 'lever.long' : 'lever.short')}
      {children !== undefined && ' '}
      {children}
    </span>
  );
}
