import type { ReactNode } from 'react';
import { create } from 'zustand';

/** Whether the toast region is wanted, and there. It loads with the first toast: no screen needs it to be read. */
export const useToastRegion = create<{ wanted: boolean; there: boolean }>()(() => ({ wanted: false, there: false }));

export interface ToastAction {
  label: ReactNode;
  onClick: () => void;
}

/** The library, once its region is on the page: a toast before that would be lost. */
async function region(): Promise<(typeof import('sonner'))['toast']> {
  useToastRegion.setState({ wanted: true });
  const { toast } = await import('sonner');
  if (!useToastRegion.getState().there)
    await new Promise<void>((resolve) => {
      const stop = useToastRegion.subscribe(({ there }) => {
        if (there) {
          stop();
          resolve();
        }
      });
    });
  return toast;
}

/** A notice that leaves by itself. A second one with the same `id` takes the place of the first. */
export function toastDone(message: string, id?: string): void {
  void region().then((toast) => toast.success(message, id === undefined ? {} : { id }));
}

/** An error stays until it is read. The same text twice is one toast. */
export function toastError(message: string): void {
  void region().then((toast) => toast.error(message, { id: message, duration: Infinity, closeButton: true }));
}

/** A question with one answer that acts and one that does not; it stays until answered. */
export function toastQuestion(message: string, action: ToastAction, no: string): void {
  void region().then((toast) =>
    toast(message, { id: message, duration: Infinity, action, cancel: { label: no, onClick: () => undefined } }),
  );
}
