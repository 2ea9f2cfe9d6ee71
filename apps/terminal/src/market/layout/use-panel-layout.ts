import { useKept } from '../../prefs/use-kept.js';
import { clampPanel, layoutText, readLayout, type PanelLayout, type PanelName } from './panel-layout.js';

export interface Panels {
  readonly layout: PanelLayout;
  readonly resize: (name: PanelName, size: number) => void;
  /** Changes parts of the layout; all of them for a preset. */
  readonly arrange: (changes: Partial<PanelLayout>) => void;
}

/** The layout of one screen, each screen its own (`spot`, `lever`, …). It outlives logout. */
export function usePanelLayout(screen: string): Panels {
  const [kept, keep] = useKept<unknown>(`${screen}.layout`, undefined);
  const layout = readLayout(kept);
  const arrange = (changes: Partial<PanelLayout>): void => keep(layoutText({ ...layout, ...changes }));
  return {
    layout,
    resize: (name, size) => arrange({ [name]: clampPanel(name, size) }),
    arrange,
  };
}
