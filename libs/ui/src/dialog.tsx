import { lazy, Suspense, useState, type ReactNode } from 'react';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the bottom. */
  actions?: ReactNode;
  closeLabel: string;
  /** `sheet` comes from the bottom edge (phones). */
  shape?: 'dialog' | 'sheet';
}

const load = () => import('./dialog-parts.js');
const Parts = lazy(load);

/** A modal with focus trap; Escape and the backdrop close it. Its code (14 kB) comes with the first one that opens. */
export function Dialog(props: DialogProps) {
  const [used, setUsed] = useState(props.open);
  if (props.open && !used) setUsed(true);
  if (!used) return null;
  return <Suspense fallback={null}><Parts {...props} /></Suspense>;
}

/** Fetches the code ahead, where a dialog is likely next. */
export function preloadDialog(): void {
  void load();
}
