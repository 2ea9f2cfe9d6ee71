import { create } from 'zustand';
import { writeSetting } from './stored.js';

export type Theme = 'dark' | 'white';

/** The theme, kept as `data-theme` of the html element; before-paint.js sets it first. */
export const useTheme = create<{ theme: Theme; setTheme(theme: Theme): void }>()((set) => ({
  theme: document.documentElement.dataset['theme'] === 'white' ? 'white' : 'dark',
  setTheme: (theme) => {
    writeSetting('theme', theme);
    document.documentElement.dataset['theme'] = theme;
    const colour = document.querySelector('meta[name=theme-color]');
    colour?.setAttribute('content', theme === 'white' ? '#F5F6F9' : '#0B0E14');
    set({ theme });
  },
}));
