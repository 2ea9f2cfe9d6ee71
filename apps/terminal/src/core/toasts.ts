import type { ReactNode } from 'react';

/** The toast library loads with the first toast: no screen needs it to be read. */
const sonner = () => import('sonner');

export interface ToastAction { label: ReactNode; onClick: () => void }

/** A notice that leaves by itself. */
export function toastDone(message: string): void {
  void sonner().then(({ toast }) => toast.success(message));
}

/** An error stays until it is read. The same text twice is one toast. */
export function toastError(message: string): void {
  void sonner().then(({ toast }) => toast.error(message, { id: message, duration: Infinity, closeButton: true }));
}

/** A question with one answer that acts; it stays until answered or closed. */
export function toastQuestion(message: string, action: ToastAction): void {
  void sonner().then(({ toast }) => toast(message, { id: message, duration: Infinity, closeButton: true, action }));
}
