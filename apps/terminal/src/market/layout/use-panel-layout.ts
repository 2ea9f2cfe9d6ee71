import { useKept } from '../../prefs/use-kept.js';
import { clampPanel, PRESETS, readLayout, type PanelLayout, type PanelName } from '../../prefs/panel-layout.js';

export interface Panels {
  readonly layout: PanelLayout;
  readonly resize: (name: PanelName, size: number) => void;
  /** Changes parts of the layout; all of them for a preset. */
  readonly arrange: (changes: Partial<PanelLayout>) => void;
}

/** The layout of one screen, each screen its own (`spot`, `lever`, …). It outlives logout. */
export function usePanelLayout(screen: string): Panels {
  const [kept, keep] = useKept<PanelLayout>(`${screen}.layout`, PRESETS.standard);
  const layout = readLayout(kept);
  return {
    layout,
    resize: (name, size) => keep({ ...layout, [name]: clampPanel(name, size) }),
    arrange: (changes) => keep({ ...layout, ...changes }),
  };
}
