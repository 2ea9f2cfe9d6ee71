import { useKept } from '../../prefs/use-kept.js';
import { clampPanel, PRESETS, readLayout, type PanelLayout, type PanelName, type PresetName } from './panel-layout.js';

export interface Panels {
  readonly sizes: PanelLayout;
  readonly resize: (name: PanelName, size: number) => void;
  readonly choose: (preset: PresetName) => void;
}

/** Sizes of the panels of one screen, each screen its own (`spot`, `lever`, …). They outlive logout. */
export function usePanelLayout(screen: string): Panels {
  const [kept, keep] = useKept<PanelLayout>(`${screen}.layout`, PRESETS.standard);
  const sizes = readLayout(kept);
  return {
    sizes,
    resize: (name, size) => keep({ ...sizes, [name]: clampPanel(name, size) }),
    choose: (preset) => keep(PRESETS[preset]),
  };
}
