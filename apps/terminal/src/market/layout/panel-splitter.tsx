import { useTranslation } from 'react-i18next';
import { panelLimits, type PanelName } from './panel-layout.js';
import { Splitter, type HandleSide } from './splitter.js';
import type { Panels } from './use-panel-layout.js';

/** The handle beside a panel, whose size it changes. */
export function PanelSplitter({
  name,
  panels,
  side = 'before',
}: {
  name: PanelName;
  panels: Panels;
  side?: HandleSide;
}) {
  const { t } = useTranslation();
  return (
    <Splitter
      side={side}
      axis={name === 'orders' ? 'y' : 'x'}
      label={t(`layout.resize.${name}`)}
      value={panels.layout[name]}
      {...panelLimits(name)}
      onChange={(size) => panels.resize(name, size)}
    />
  );
}
