import { X } from 'lucide-react';
import { cx } from './class-names.js';

/** The cross in the corner of what can be closed. */
export function CloseButton({
  label,
  onClick,
  large = false,
}: {
  label: string | undefined;
  onClick: () => void;
  large?: boolean;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className={cx(
        'grid shrink-0 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1',
        large ? 'size-7' : 'size-6',
      )}
    >
      <X size={large ? 16 : 14} aria-hidden />
    </button>
  );
}
