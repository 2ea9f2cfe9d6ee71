import { useEffect, useEffectEvent, useRef, useState, type PointerEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { newIntent } from '@bourse/api-client';
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

  const chosen = drawings.find(({ id }) => id === selected);
  const moveBy = (drawing: Drawing, by: Point): void => {
    const moved = primitive.current?.moved(drawing, by);
    if (moved) onDrawings(drawings.map((one) => (one.id === moved.id ? moved : one)));
  };
  useDrawingKeys({
    active: tool !== undefined || selected !== undefined,
    onEscape: () => {
      setBegun([]);
      setSelected(undefined);
      onTool(undefined);
    },
    onDelete: () => {
      onDrawings(drawings.filter(({ id }) => id !== selected));
      setSelected(undefined);
    },
    onStep: (by) => chosen && moveBy(chosen, by),
  });
  const nearest = ({ x, y }: Point): Drawing | undefined => {
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
  useDrawingPresses(host, {
    onPress: (at) => setSelected(nearest(at)?.id),
    gripAt: (at) => (tool === undefined && chosen && nearest(at)?.id === selected ? chosen : undefined),
    onDrag: moveBy,
  });

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
    <DrawingSurface
      tool={tool}
      anchorAt={(x, y) => primitive.current?.anchorAt(x, y)}
      begun={begun}
      onBegun={setBegun}
      onFinish={(points) => {
        if (tool !== 'alert') onDrawings([...drawings, { id: newIntent(), tool, points }]);
        setBegun([]);
        onTool(undefined);
      }}
      onAlert={(y) => {
        const price = chart.priceAt(y);
        if (price !== undefined) onAlert(price);
        onTool(undefined);
      }}
    />
  );
}

/** Keys of the chart while a tool or a drawing is chosen. */
function useDrawingKeys({
  active,
  onEscape,
  onDelete,
  onStep,
}: {
  active: boolean;
  onEscape: () => void;
  onDelete: () => void;
  onStep: (by: Point) => void;
}): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.target instanceof HTMLInputElement || document.querySelector('dialog[open]')) return;
    const by = stepOfArrow(event.key, event.shiftKey);
    if (event.key === 'Escape') onEscape();
    else if (by && document.activeElement?.closest('[data-drawings]')) onStep(by);
    else if (event.key === 'Delete' || event.key === 'Backspace') onDelete();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    if (!active) return undefined;
    const listener = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [active]);
}

/** Presses on the chart, and drags of the drawing that a press grips. */
function useDrawingPresses(
  host: RefObject<HTMLElement | null>,
  actions: {
    onPress: (at: Point) => void;
    gripAt: (at: Point) => Drawing | undefined;
    onDrag: (gripped: Drawing, by: Point) => void;
  },
): void {
  const press = useEffectEvent(actions.onPress);
  const grip = useEffectEvent(actions.gripAt);
  const drag = useEffectEvent(actions.onDrag);
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const placeOf = (event: MouseEvent): Point => {
      const { left, top } = element.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    // The chosen drawing follows the pointer: the press must not reach the chart, which would scroll.
    let held: { drawing: Drawing; x: number; y: number } | undefined;
    const listeners = new AbortController();
    const { signal } = listeners;
    element.addEventListener('click', (event) => press(placeOf(event)), { signal });
    element.addEventListener(
      'pointerdown',
      (event) => {
        const drawing = grip(placeOf(event));
        if (!drawing) return;
        held = { drawing, x: event.clientX, y: event.clientY };
        event.stopPropagation();
        event.preventDefault();
      },
      { signal, capture: true },
    );
    // The chart listens to these of its own.
    for (const type of ['mousedown', 'touchstart'])
      element.addEventListener(type, (event) => held && event.stopPropagation(), { signal, capture: true });
    const onMove = (event: globalThis.PointerEvent): void => {
      if (held) drag(held.drawing, { x: event.clientX - held.x, y: event.clientY - held.y });
    };
    window.addEventListener('pointermove', onMove, { signal });
    const release = (): void => {
      held = undefined;
    };
    for (const type of ['pointerup', 'pointercancel']) window.addEventListener(type, release, { signal });
    return () => listeners.abort();
  }, [host]);
}

/** The chart under a tool: the begun drawing follows the pointer until a drag or a second press ends it. */
function DrawingSurface({
  tool,
  anchorAt,
  begun,
  onBegun,
  onFinish,
  onAlert,
}: {
  tool: ChartTool;
  anchorAt: (x: number, y: number) => Anchor | undefined;
  begun: readonly Anchor[];
  onBegun: (points: readonly Anchor[]) => void;
  onFinish: (points: readonly Anchor[]) => void;
  onAlert: (y: number) => void;
}) {
  const { t } = useTranslation();
  const pressed = useRef<Point | undefined>(undefined);
  const at = ({ nativeEvent }: PointerEvent): Anchor | undefined => anchorAt(nativeEvent.offsetX, nativeEvent.offsetY);
  const down = (event: PointerEvent): void => {
    const anchor = at(event);
    if (!anchor) return;
    if (tool === 'alert') return onAlert(event.nativeEvent.offsetY);
    if (pointsOf(tool) === 1) return onFinish([anchor]);
    if (begun.length === 2) return onFinish([begun[0]!, anchor]);
    pressed.current = { x: event.clientX, y: event.clientY };
    event.currentTarget.setPointerCapture(event.pointerId);
    onBegun([anchor, anchor]);
  };
  const move = (event: PointerEvent): void => {
    const anchor = at(event);
    if (anchor && begun.length === 2) onBegun([begun[0]!, anchor]);
  };
  const up = (event: PointerEvent): void => {
    const from = pressed.current;
    pressed.current = undefined;
    const anchor = at(event);
    if (!from || !anchor || begun.length < 2) return;
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL_PX) onFinish([begun[0]!, anchor]);
  };
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
