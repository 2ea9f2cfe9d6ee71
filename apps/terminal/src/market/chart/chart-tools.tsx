import { Camera, ChartSpline, Maximize, Minimize, MoveHorizontal, PencilLine, Table2 } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Menu, MenuItem, MenuSeparator } from '@bourse/ui';
import { lazyScreen } from '@bourse/web';
import { loadWithTexts } from '../../core/i18n.js';
import type { ChosenIndicator } from './indicators/chosen.js';
import { SCALES, type ScaleId } from './intervals.js';
import type { ChartTool } from './drawing-layer.js';
import { DRAWING_TOOLS, type Drawing } from './drawing-tools.js';
import type { FullScreen } from './use-full-screen.js';

const IndicatorMenu = lazyScreen(async () => ({
  default: (await loadWithTexts(import('./indicator-menu.js'), ['charts'])).IndicatorMenu,
}));
const ICON_PX = 16;
/** How many of the newest drawings the menu offers to delete one by one. */
const DRAWINGS_LISTED = 5;
/** Short signs of the scales, as on other terminals. */
const SCALE_SIGNS: Readonly<Record<ScaleId, string>> = { linear: 'Lin', log: 'Log', percent: '%' };

interface Props {
  indicators: readonly ChosenIndicator[];
  onIndicators: (chosen: readonly ChosenIndicator[]) => void;
  scale: ScaleId;
  onScale: (scale: ScaleId) => void;
  /** The chosen tool. */
  tool: ChartTool | undefined;
  onTool: (tool: ChartTool) => void;
  /** Price alerts follow the live market alone. */
  hasAlerts: boolean;
  drawings: readonly Drawing[];
  onDrawings: (drawings: readonly Drawing[]) => void;
  onFit: () => void;
  onPicture: () => void;
  full: FullScreen;
  onTable: () => void;
}

/** Indicators, scale, fit, picture, full screen and the bars as a table. */
export function ChartTools(props: Props) {
  const { t } = useTranslation();
  const { scale, full, tool, drawings } = props;
  const [choosing, setChoosing] = useState(false);
  return (
    <div className="flex shrink-0 items-center">
      <Tool label={t('chart.indicators')} onPress={() => setChoosing(true)}>
        <ChartSpline size={ICON_PX} aria-hidden />
      </Tool>
      <Suspense>
        {choosing && (
          <IndicatorMenu chosen={props.indicators} onChange={props.onIndicators} onClose={() => setChoosing(false)} />
        )}
      </Suspense>
      <Menu
        label={`${t('chart.scale')}: ${SCALE_SIGNS[scale]}`}
        trigger={<span className="text-label">{SCALE_SIGNS[scale]}</span>}
      >
        {SCALES.map((id) => (
          <MenuItem key={id} checked={id === scale} onSelect={() => props.onScale(id)}>
            {t(`chart.scale.${id}`)}
          </MenuItem>
        ))}
      </Menu>
      <Menu
        label={t('chart.draw')}
        trigger={<PencilLine size={ICON_PX} aria-hidden className={tool === undefined ? '' : 'text-accent'} />}
      >
        {[...DRAWING_TOOLS, ...(props.hasAlerts ? (['alert'] as const) : [])].map((one) => (
          <MenuItem key={one} onSelect={() => props.onTool(one)}>
            {t(`chart.tool.${one}`)}
          </MenuItem>
        ))}
        {drawings.length > 0 && <MenuSeparator />}
        {drawings.slice(-DRAWINGS_LISTED).map(({ id, tool: drawn }) => (
          <MenuItem key={id} onSelect={() => props.onDrawings(drawings.filter((other) => other.id !== id))}>
            {t('chart.deleteDrawing', { name: t(`chart.tool.${drawn}`) })}
          </MenuItem>
        ))}
        {drawings.length > 1 && <MenuItem onSelect={() => props.onDrawings([])}>{t('chart.deleteDrawings')}</MenuItem>}
      </Menu>
      <Tool label={t('chart.fit')} onPress={props.onFit}>
        <MoveHorizontal size={ICON_PX} aria-hidden />
      </Tool>
      <Tool label={t('chart.picture')} onPress={props.onPicture}>
        <Camera size={ICON_PX} aria-hidden />
      </Tool>
      <Tool label={t(full.on ? 'chart.leaveFull' : 'chart.full')} onPress={full.toggle}>
        {full.on ? <Minimize size={ICON_PX} aria-hidden /> : <Maximize size={ICON_PX} aria-hidden />}
      </Tool>
      <Tool label={t('chart.asTable')} onPress={props.onTable}>
        <Table2 size={ICON_PX} aria-hidden />
      </Tool>
    </div>
  );
}

function Tool({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onPress}
      className="grid size-8 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1"
    >
      {children}
    </button>
  );
}
