import { create } from 'zustand';
import { readStored, writeStored } from './storage.js';

export type Theme = 'dark' | 'white';
export type Palette = 'classic' | 'swapped' | 'colorblind';

/** Theme and palette; both stand on the html element, where before-paint.js put them first. */
export const useAppearance = create<{
  theme: Theme;
  palette: Palette;
  setTheme(theme: Theme): void;
  setPalette(palette: Palette): void;
}>()((set) => ({
  theme: document.documentElement.dataset['theme'] === 'white' ? 'white' : 'dark',
  palette: (document.documentElement.dataset['palette'] as Palette | undefined) ?? 'classic',
  setTheme: (theme) => {
    writeStored('theme', theme);
    show(theme);
    set({ theme });
  },
  setPalette: (palette) => {
    writeStored('palette', palette);
    document.documentElement.dataset['palette'] = palette;
    set({ palette });
  },
}));

function show(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', theme === 'white' ? '#F5F6F9' : '#0B0E14');
}

/** Logout cleared the storage: the defaults are back, on the screen too. */
export function resetAppearance(): void {
  if (readStored('theme') !== null) return;
  show('dark');
  document.documentElement.dataset['palette'] = 'classic';
  useAppearance.setState({ theme: 'dark', palette: 'classic' });
}
