import { create } from 'zustand';
import type { ToastItem } from '@bourse/ui';

/** The toasts on the page, oldest first. */
export const useToasts = create<{ toasts: readonly ToastItem[] }>()(() => ({ toasts: [] }));

/** How long a notice is shown. */
const NOTICE_MS = 4_000;
/** More would cover the page: the oldest that closes by itself is removed first. */
const TOASTS_MAX = 4;
let made = 0;

/** Shows a toast; one of the same id is replaced in its place, and its time starts again. */
export function showToast(toast: Omit<ToastItem, 'turn'>): void {
  made += 1;
  const item: ToastItem = { ...toast, turn: made };
  const { toasts } = useToasts.getState();
  const next = toasts.some(({ id }) => id === item.id)
    ? toasts.map((other) => (other.id === item.id ? item : other))
    : [...toasts, item];
  const passing = next.find(({ leavesAfterMs }) => leavesAfterMs !== undefined);
  useToasts.setState({
    toasts: next.length > TOASTS_MAX && passing ? next.filter((other) => other !== passing) : next,
  });
}

export function closeToast(id: string): void {
  useToasts.setState({ toasts: useToasts.getState().toasts.filter((toast) => toast.id !== id) });
}

/** A notice that leaves by itself. A second one with the same `id` takes the place of the first. */
export function toastDone(message: string, id?: string): void {
  showToast({ id: id ?? `notice ${made}`, tone: 'done', text: message, leavesAfterMs: NOTICE_MS });
}

/** An error stays until it is read. The same text twice is one toast. */
export function toastError(message: string): void {
  showToast({ id: message, tone: 'error', text: message });
}

/** A question with one answer that acts and one that does not; it stays until answered. */
export function toastQuestion(message: string, yes: { label: string; onClick: () => void }, no: string): void {
  showToast({ id: message, tone: 'info', text: message, actions: [yes, { label: no, onClick: () => undefined }] });
}
