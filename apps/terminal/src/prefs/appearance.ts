import { create } from 'zustand';
import { PALETTES, type Palette, type Theme } from '@bourse/contract';
import { readKept, writeKept } from './kept.js';
import { readStored, writeStored } from './storage.js';

interface Appearance {
  readonly theme: Theme;
  readonly palette: Palette;
}

/** The look of stored names; an older or foreign name counts as the default. */
const toAppearance = (theme: string | undefined, palette: string | undefined): Appearance => ({
  theme: theme === 'white' ? 'white' : 'dark',
  palette: PALETTES.find((one) => one === palette) ?? 'classic',
});

/** Theme and palette; both are on the html element, where before-paint.js put them first. */
export const useAppearance = create<
  Appearance & { setTheme(theme: Theme): void; setPalette(palette: Palette): void }
>()((set, get) => ({
  ...toAppearance(document.documentElement.dataset['theme'], document.documentElement.dataset['palette']),
  setTheme: (theme) => {
    set({ theme });
    store(get());
  },
  setPalette: (palette) => {
    set({ palette });
    store(get());
  },
}));

function show({ theme, palette }: Appearance): void {
  document.documentElement.dataset['theme'] = theme;
  document.documentElement.dataset['palette'] = palette;
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', theme === 'white' ? '#F5F6F9' : '#0B0E14');
}

/** Stores the look for the next page load, and keeps it for the time after a sign-out, which clears the storage. */
function store({ theme, palette }: Appearance): void {
  writeStored('theme', theme);
  writeStored('palette', palette);
  show({ theme, palette });
  void keep({ theme, palette });
}

/** The browser refuses to keep anything: theme and palette last until the sign-out. */
const reportNotKept = (error: unknown): void => console.warn('appearance not kept', error);

async function keep(look: Appearance): Promise<void> {
  try {
    await writeKept('appearance', look);
  } catch (error) {
    reportNotKept(error);
  }
}

/** Restores the kept look after a sign-out cleared the storage; else keeps the present one. */
export async function startAppearance(): Promise<void> {
  try {
    if (readStored('theme') !== null || readStored('palette') !== null) {
      const { theme, palette } = useAppearance.getState();
      return await keep({ theme, palette });
    }
    const kept = await readKept<Appearance>('appearance');
    if (!kept || readStored('theme') !== null) return;
    const look = toAppearance(kept.theme, kept.palette);
    useAppearance.setState(look);
    store(look);
  } catch (error) {
    reportNotKept(error);
  }
}
