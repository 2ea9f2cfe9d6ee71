import { create } from 'zustand';

/** Whether some call waits for the person's password (api §6.16). One question serves every call that waits. */
export const useConfirmation = create<{ asked: boolean }>()(() => ({ asked: false }));

let answer: ((confirmed: boolean) => void) | undefined;
let question: Promise<boolean> | undefined;

/**
 * Opens the dialog, or joins the one that is open. True when the session is confirmed, false when the person declined.
 */
export function askToConfirm(): Promise<boolean> {
  question ??= new Promise<boolean>((resolve) => {
    answer = resolve;
    useConfirmation.setState({ asked: true });
  });
  return question;
}

/** The dialog's answer. */
export function settleConfirmation(confirmed: boolean): void {
  const settle = answer;
  answer = undefined;
  question = undefined;
  useConfirmation.setState({ asked: false });
  settle?.(confirmed);
}
