import { useEffect, useEffectEvent, useRef, useState, type PointerEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Num } from '@bourse/ui';
import { pointsOf, type Anchor, type Drawing, type DrawingTool, type Point } from './drawing-tools.js';
import { distanceTo } from './drawings.js';
import { DrawingsPrimitive } from './drawings-primitive.js';
import { stepOfArrow } from './keyboard.js';
import type { PriceChart } from './price-chart.js';

/** A press this near to a line selects it. */
const NEAR_PX = 6;
/** A press that moved less is no drag: the next press ends the drawing. */
const STILL_PX = 4;
const NEW = 'new';

/** A tool of the chart: one that draws, or the one that sets a price alert. */
export type ChartTool = DrawingTool | 'alert';

/**
 * Drawings of a chart. With a tool, a press begins a drawing, and a drag or a second press ends it. Without a tool, a
 * press selects the nearest drawing, and a drag moves the selected one; by keyboard each drawing is a button, and
 * arrows move it. Delete removes it, Escape ends tool and selection.
 */
export function DrawingLayer({
  chart,
  host,
  tool,
  onTool,
  drawings,
  onDrawings,
  onAlert,
}: {
  chart: PriceChart;
  host: RefObject<HTMLElement | null>;
  tool: ChartTool | undefined;
  onTool: (tool: ChartTool | undefined) => void;
  drawings: readonly Drawing[];
  onDrawings: (drawings: readonly Drawing[]) => void;
  onAlert: (price: string) => void;
}) {
  const { t } = useTranslation();
  const primitive = useRef<DrawingsPrimitive | undefined>(undefined);
  const [selected, setSelected] = useState<string | undefined>();
  const [begun, setBegun] = useState<readonly Anchor[]>([]);
  const pressed = useRef<{ x: number; y: number } | undefined>(undefined);
  const shown = useRef<readonly Pick<Drawing, 'id' | 'tool' | 'points'>[]>([]);
  shown.current =
    tool !== undefined && tool !== 'alert' && begun.length === 2
      ? [...drawings, { id: NEW, tool, points: begun }]
      : drawings;
  useEffect(() => {
    const own = new DrawingsPrimitive(chart);
    primitive.current = own;
    chart.attach(own);
    return () => {
      chart.detach(own);
      primitive.current = undefined;
    };
  }, [chart]);
  useEffect(() => primitive.current?.show(shown.current, selected), [chart, drawings, begun, tool, selected]);
  useEffect(() => setBegun([]), [tool]);

  const letGo = useEffectEvent(() => {
    setBegun([]);
    setSelected(undefined);
    onTool(undefined);
  });
  const remove = useEffectEvent(() => onDrawings(drawings.filter(({ id }) => id !== selected)));
  const step = useEffectEvent((by: Point) => {
    const chosen = drawings.find(({ id }) => id === selected);
    const moved = chosen && primitive.current?.moved(chosen, by);
    if (moved) onDrawings(replaced(drawings, moved));
  });
  const busy = tool !== undefined || selected !== undefined;
  useEffect(() => {
    if (!busy) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.target instanceof HTMLInputElement || document.querySelector('dialog[open]')) return;
      const by = stepOfArrow(event.key, event.shiftKey);
      if (event.key === 'Escape') letGo();
      else if (by && document.activeElement?.closest('[data-drawings]')) step(by);
      else if (event.key === 'Delete' || event.key === 'Backspace') {
        remove();
        setSelected(undefined);
      } else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [busy]);

  const nearest = (x: number, y: number): Drawing | undefined => {
    const width = host.current?.clientWidth ?? 0;
    const near = drawings
      .map((drawing) => ({
        drawing,
        away: distanceTo(primitive.current?.segments(drawing, width) ?? [], { x, y }),
      }))
      .filter(({ away }) => away <= NEAR_PX)
      .sort((a, b) => a.away - b.away);
    return near[0]?.drawing;
  };
  const select = useEffectEvent((x: number, y: number) => setSelected(nearest(x, y)?.id));
  const grip = useEffectEvent((x: number, y: number): Drawing | undefined =>
    tool === undefined && selected !== undefined && nearest(x, y)?.id === selected ? nearest(x, y) : undefined,
  );
  const drag = useEffectEvent((held: Drawing, by: Point) => {
    const moved = primitive.current?.moved(held, by);
    if (moved) onDrawings(replaced(drawings, moved));
  });
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const onClick = (event: MouseEvent): void => {
      const { left, top } = element.getBoundingClientRect();
      select(event.clientX - left, event.clientY - top);
    };
    // The chosen drawing follows the pointer: the press must not reach the chart, which would scroll.
    let held: { drawing: Drawing; x: number; y: number } | undefined;
    const onDown = (event: globalThis.PointerEvent): void => {
      const { left, top } = element.getBoundingClientRect();
      const drawing = grip(event.clientX - left, event.clientY - top);
      if (!drawing) return;
      held = { drawing, x: event.clientX, y: event.clientY };
      event.stopPropagation();
      event.preventDefault();
    };
    const onMove = (event: globalThis.PointerEvent): void => {
      if (held) drag(held.drawing, { x: event.clientX - held.x, y: event.clientY - held.y });
    };
    const onUp = (): void => {
      held = undefined;
    };
    element.addEventListener('click', onClick);
    element.addEventListener('pointerdown', onDown, true);
    // The chart listens to these of its own.
    const hold = (event: Event): void => {
      if (held) event.stopPropagation();
    };
    element.addEventListener('mousedown', hold, true);
    element.addEventListener('touchstart', hold, true);
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onUp);
    window.addEventListener('pointercancel', onUp);
    return () => {
      element.removeEventListener('click', onClick);
      element.removeEventListener('pointerdown', onDown, true);
      element.removeEventListener('mousedown', hold, true);
      element.removeEventListener('touchstart', hold, true);
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', onUp);
      window.removeEventListener('pointercancel', onUp);
    };
  }, [host]);

  const finish = (points: readonly Anchor[]): void => {
    if (tool === undefined || tool === 'alert') return;
    onDrawings([...drawings, { id: crypto.randomUUID(), tool, points }]);
    setBegun([]);
    onTool(undefined);
  };
  const at = (event: PointerEvent): Anchor | undefined =>
    primitive.current?.anchorAt(event.nativeEvent.offsetX, event.nativeEvent.offsetY);
  const down = (event: PointerEvent): void => {
    const anchor = at(event);
    if (!anchor || tool === undefined) return;
    if (tool === 'alert') {
      const price = chart.priceAt(event.nativeEvent.offsetY);
      if (price !== undefined) onAlert(price);
      onTool(undefined);
      return;
    }
    if (pointsOf(tool) === 1) return finish([anchor]);
    if (begun.length === 2) return finish([begun[0]!, anchor]);
    pressed.current = { x: event.clientX, y: event.clientY };
    event.currentTarget.setPointerCapture(event.pointerId);
    setBegun([anchor, anchor]);
  };
  const move = (event: PointerEvent): void => {
    const anchor = at(event);
    if (anchor && begun.length === 2) setBegun([begun[0]!, anchor]);
  };
  const up = (event: PointerEvent): void => {
    const from = pressed.current;
    pressed.current = undefined;
    const anchor = at(event);
    if (!from || !anchor || begun.length < 2) return;
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL_PX) finish([begun[0]!, anchor]);
  };
  const chosen = drawings.find(({ id }) => id === selected);
  if (tool === undefined)
    return (
      <div data-drawings className="absolute start-2 bottom-8 z-10 flex max-w-[60%] flex-wrap gap-1">
        {drawings.map(({ id, tool: kind }, at) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === selected}
            aria-keyshortcuts="ArrowUp ArrowDown ArrowLeft ArrowRight Delete"
            onFocus={() => setSelected(id)}
            onBlur={() => setSelected(undefined)}
            className="sr-only rounded-chip bg-bg3 px-2 py-1 text-label text-t1 focus:not-sr-only"
          >
            {t(`chart.tool.${kind}`)} <Num>{String(at + 1)}</Num>
          </button>
        ))}
        <p role="status" className="sr-only">
          <Num>{chosen?.points.map(({ price }) => chart.priceText(price)).join(' – ')}</Num>
        </p>
      </div>
    );
  return (
    <div
      dir="ltr"
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      className="absolute inset-0 z-10 cursor-crosshair touch-none"
    >
      <p className="pointer-events-none absolute bottom-8 left-2 rounded-chip bg-bg3 px-2 py-1 text-label text-t1">
        {t(`chart.tool.${tool}`)} · {t('chart.toolHint')}
      </p>
    </div>
  );
}

const replaced = (drawings: readonly Drawing[], by: Drawing): readonly Drawing[] =>
  drawings.map((drawing) => (drawing.id === by.id ? by : drawing));
