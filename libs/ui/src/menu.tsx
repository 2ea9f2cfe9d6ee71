import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from './class-names.js';

/** A menu under a button, with arrow keys, type-ahead and right-to-left placement. */
export function Menu({ trigger, label, children, align = 'end' }: { trigger: ReactNode; label: string; children: ReactNode; align?: 'start' | 'end' }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger aria-label={label} className="inline-flex h-9 items-center gap-1 rounded-chip px-2 text-body text-t2 hover:bg-bg3 hover:text-t1">{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align={align} sideOffset={6} collisionPadding={8} className="z-50 max-h-[min(70vh,32rem)] min-w-44 overflow-auto rounded-panel border border-line bg-bg1 p-1 text-body text-t1 shadow-lg">{children}</DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({ onSelect, children, checked }: { onSelect: () => void; children: ReactNode; checked?: boolean }) {
  const className = cx('flex min-h-8 cursor-pointer items-center justify-between gap-4 rounded-chip px-3 py-1 outline-none data-highlighted:bg-bg3', checked && 'text-accent');
  if (checked === undefined) return <DropdownMenu.Item className={className} onSelect={onSelect}>{children}</DropdownMenu.Item>;
  return <DropdownMenu.CheckboxItem checked={checked} className={className} onSelect={onSelect}>{children}</DropdownMenu.CheckboxItem>;
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
