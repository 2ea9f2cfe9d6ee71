import { create } from 'zustand';
import { useSession } from './session.js';

/** Whether keys may send and cancel orders (terminal rule 10): off at first, and again after the desk or a sign-out. */
export const useArmedKeys = create<{ readonly armed: boolean; arm(on: boolean): void }>()((set) => ({
  armed: false,
  arm: (on) => set({ armed: on && useSession.getState().token !== null }),
}));

useSession.subscribe(({ token }, before) => {
  if (token !== before.token) useArmedKeys.getState().arm(false);
});
