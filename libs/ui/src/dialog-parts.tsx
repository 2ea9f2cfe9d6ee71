import { Dialog as Parts } from 'radix-ui';
import { X } from 'lucide-react';
import { cx } from './class-names.js';
import type { DialogProps } from './dialog.js';

/** A modal with focus trap; Escape and the backdrop close it. */
export default function DialogParts({ open, onClose, title, description, children, actions, closeLabel, shape = 'dialog' }: DialogProps) {
  return (
    <Parts.Root open={open} onOpenChange={(next) => { if (!next) onClose(); }}>
      <Parts.Portal>
        <Parts.Overlay className="fixed inset-0 z-40 bg-black/60" />
        <Parts.Content {...(description ? {} : { 'aria-describedby': undefined })}
          className={cx('fixed z-50 flex max-h-[92dvh] flex-col gap-4 overflow-auto border border-line bg-bg1 p-4 text-body text-t1 outline-none',
            shape === 'sheet' ? 'inset-x-0 bottom-0 rounded-t-dialog' : 'start-1/2 top-1/2 w-[min(28rem,calc(100vw-2rem))] -translate-y-1/2 -translate-x-1/2 rtl:translate-x-1/2 rounded-dialog')}>
          <div className="flex items-start justify-between gap-4">
            <Parts.Title className="text-title font-semibold">{title}</Parts.Title>
            <Parts.Close aria-label={closeLabel} className="grid size-7 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1"><X size={16} aria-hidden /></Parts.Close>
          </div>
          {description && <Parts.Description className="text-t2">{description}</Parts.Description>}
          {children}
          {actions && <div className="flex justify-end gap-2">{actions}</div>}
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  );
}
