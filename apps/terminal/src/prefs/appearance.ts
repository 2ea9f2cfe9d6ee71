import { create } from 'zustand';
import { readStored, writeStored } from './storage.js';

export type Theme = 'dark' | 'white';
export const PALETTES = ['classic', 'swapped', 'colorblind'] as const;
export type Palette = (typeof PALETTES)[number];
interface Look {
  readonly theme: Theme;
  readonly palette: Palette;
}

const paletteOf = (text: string | null | undefined): Palette => PALETTES.find((one) => one === text) ?? 'classic';

/** Theme and palette; both stand on the html element, where before-paint.js put them first. */
export const useAppearance = create<Look & { setTheme(theme: Theme): void; setPalette(palette: Palette): void }>()(
  (set, get) => ({
    theme: document.documentElement.dataset['theme'] === 'white' ? 'white' : 'dark',
    palette: paletteOf(document.documentElement.dataset['palette']),
    setTheme: (theme) => {
      set({ theme });
      store(get());
    },
    setPalette: (palette) => {
      set({ palette });
      store(get());
    },
  }),
);

function show({ theme, palette }: Look): void {
  document.documentElement.dataset['theme'] = theme;
  document.documentElement.dataset['palette'] = palette;
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', theme === 'white' ? '#F5F6F9' : '#0B0E14');
}

/** For the next page load, and for the one after a sign-out, which clears the storage. */
function store({ theme, palette }: Look): void {
  writeStored('theme', theme);
  writeStored('palette', palette);
  show({ theme, palette });
  void keep({ theme, palette });
}

async function keep(look: Look): Promise<void> {
  const { writeKept } = await import('./kept.js');
  await writeKept('appearance', look);
}

/** Start of the page: what was chosen before a sign-out is back, and outlives the next one. */
export async function startAppearance(): Promise<void> {
  try {
    if (readStored('theme') !== null || readStored('palette') !== null) {
      const { theme, palette } = useAppearance.getState();
      return await keep({ theme, palette });
    }
    const { readKept } = await import('./kept.js');
    const kept = await readKept<Look>('appearance');
    if (!kept || readStored('theme') !== null) return;
    const look: Look = { theme: kept.theme === 'white' ? 'white' : 'dark', palette: paletteOf(kept.palette) };
    useAppearance.setState(look);
    store(look);
  } catch (error) {
    // The browser refuses to keep anything: theme and palette last until the sign-out.
    console.warn('appearance not kept', error);
  }
}
