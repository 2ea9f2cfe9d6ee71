import { useTranslation } from 'react-i18next';
import { panelLimits, type PanelName } from './panel-layout.js';
import { Splitter } from './splitter.js';
import type { Panels } from './use-panel-layout.js';

/** The handle before a panel, whose size it changes. */
export function PanelSplitter({ name, panels }: { name: PanelName; panels: Panels }) {
  const { t } = useTranslation();
  return (
    <Splitter
      axis={name === 'orders' ? 'y' : 'x'}
      label={t(`layout.resize.${name}`)}
      value={panels.sizes[name]}
      {...panelLimits(name)}
      onChange={(size) => panels.resize(name, size)}
    />
  );
}
