import { create } from 'zustand';

/** The pair whose data the screen in front trades on; '' where none is. The status lamp shows its age. */
export const useFocusSymbol = create<{ symbol: string }>()(() => ({ symbol: '' }));
