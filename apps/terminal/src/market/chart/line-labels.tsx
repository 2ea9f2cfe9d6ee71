import { Bell, GripVertical, X } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { cx, Num } from '@bourse/ui';
import { steppedY } from './keyboard.js';
import { FOLLOW_MS, placeAtLines } from './line-places.js';
import type { ChartLine } from './marks.js';
import type { PriceChart } from './price-chart.js';

const LABEL_PX = 22;
/** A press that moved less is no drag. */
const STILL_PX = 3;
const ICON = 'grid size-5 shrink-0 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1';
const BORDERS = { buy: 'border-up', sell: 'border-down', alert: 'border-info' } as const;

interface Dragged {
  readonly id: string;
  readonly from: number;
  readonly y: number;
  readonly price: string;
}

/**
 * The labels of lines without overlap; a count shows how many have no room. While a person drags a line, its
 * figures follow the pointer and ignore new prices; the drop opens a question, Escape cancels. Where a line offers it,
 * a press of the handle or Enter opens the same.
 */
export function LineLabels({
  chart,
  lines,
  above,
}: {
  chart: PriceChart | undefined;
  lines: readonly ChartLine[];
  /** The legend, which no label goes under. */
  above: RefObject<HTMLElement | null>;
}) {
  const host = useRef<HTMLDivElement>(null);
  const now = useRef(lines);
  now.current = lines;
  const [dragged, setDragged] = useState<Dragged | undefined>();
  const [hidden, setHidden] = useState(0);
  const held = useRef(dragged);
  held.current = dragged;
  useEffect(() => {
    if (!chart) return undefined;
    const follow = (): void => {
      const placing = { heightPx: LABEL_PX, above: above.current, heldId: held.current?.id };
      setHidden(placeAtLines(chart, host.current, now.current, placing));
    };
    follow();
    const timer = setInterval(follow, FOLLOW_MS);
    return () => clearInterval(timer);
  }, [chart, lines.length, above]);
  const moving = dragged !== undefined;
  useEffect(() => {
    if (!moving) return undefined;
    const letGo = (event: globalThis.KeyboardEvent): void => {
      if (event.key === 'Escape') setDragged(undefined);
    };
    window.addEventListener('keydown', letGo);
    return () => window.removeEventListener('keydown', letGo);
  }, [moving]);

  const yOf = (event: PointerEvent): number => event.clientY - (host.current?.getBoundingClientRect().top ?? 0);
  const move = (event: PointerEvent<HTMLElement>): void => {
    if (!dragged) return;
    const y = yOf(event);
    const price = chart?.priceAt(y);
    if (price === undefined) return;
    const label = event.currentTarget.parentElement;
    if (label) label.style.transform = `translateY(${Math.round(y) - LABEL_PX / 2}px)`;
    setDragged({ ...dragged, y, price });
  };
  const drop = (line: ChartLine, event: PointerEvent): void => {
    if (!dragged) return;
    setDragged(undefined);
    if (Math.abs(yOf(event) - dragged.from) < STILL_PX) line.drag?.open?.();
    else line.drag?.drop(dragged.price);
  };
  /** Arrows move the line as the pointer would, ten times as far with Shift; Enter drops it where it is. */
  const onKey = (one: ChartLine, event: KeyboardEvent<HTMLElement>): void => {
    const own = dragged?.id === one.id ? dragged : undefined;
    if (event.key === 'Enter' || event.key === ' ') {
      setDragged(undefined);
      if (own && own.price !== one.price) one.drag?.drop(own.price);
      else one.drag?.open?.();
    } else {
      const from = own?.y ?? chart?.yOf(one.price);
      const y = from === undefined ? undefined : steppedY(event.key, event.shiftKey, from);
      if (y === undefined) return;
      const price = chart?.priceAt(y);
      if (price !== undefined) {
        const label = event.currentTarget.parentElement;
        if (label) label.style.transform = `translateY(${Math.round(y) - LABEL_PX / 2}px)`;
        setDragged({ id: one.id, from: own?.from ?? y, y, price });
      }
    }
    event.preventDefault();
  };
  const line = lines.find(({ id }) => id === dragged?.id);
  return (
    <div dir="ltr">
      <div ref={host} className="absolute inset-x-0 top-0">
        {lines.map((one) => (
          <span
            key={one.id}
            data-label={one.id}
            style={{ visibility: 'hidden' }}
            className={cx(
              'absolute top-0 left-2 z-10 flex h-5 max-w-[60%] items-center rounded-chip border ' +
                'bg-bg1 text-label text-t1',
              BORDERS[one.side],
              // A label without a button leaves the pointer to the chart.
              !one.drag && !one.cancel && 'pointer-events-none',
            )}
          >
            {one.drag && (
              <button
                type="button"
                aria-label={one.drag.label}
                title={one.drag.label}
                data-line={one.id}
                aria-keyshortcuts="ArrowUp ArrowDown Enter Escape"
                onKeyDown={(event) => onKey(one, event)}
                onBlur={() => setDragged(undefined)}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId);
                  setDragged({ id: one.id, from: yOf(event), y: yOf(event), price: one.price });
                }}
                onPointerMove={move}
                onPointerUp={(event) => drop(one, event)}
                onPointerCancel={() => setDragged(undefined)}
                className={cx(ICON, 'cursor-ns-resize touch-none')}
              >
                <GripVertical size={14} aria-hidden />
              </button>
            )}
            {one.side === 'alert' && <Bell size={12} aria-hidden className="ms-1 shrink-0 text-info" />}
            <Num className="truncate px-1">{one.text}</Num>
            {one.cancel && (
              <button
                type="button"
                aria-label={one.cancel.label}
                title={one.cancel.label}
                onClick={one.cancel.run}
                className={ICON}
              >
                <X size={12} aria-hidden />
              </button>
            )}
          </span>
        ))}
      </div>
      {hidden > 0 && (
        <span
          style={{ top: (chart?.height() ?? 0) - LABEL_PX }}
          className="pointer-events-none absolute right-28 z-10 rounded-chip bg-bg1 px-1 text-label text-t2"
        >
          <Num>{`+${hidden}`}</Num>
        </span>
      )}
      <p role="status" className="sr-only">
        {dragged && line?.drag?.preview(dragged.price)}
      </p>
      {dragged && line && (
        <div
          className="pointer-events-none absolute inset-x-0 top-0 z-10 border-t border-dashed border-accent"
          style={{ transform: `translateY(${Math.round(dragged.y)}px)` }}
        >
          <Num className="absolute right-20 bg-bg1 px-1 text-label">{line.drag?.preview(dragged.price)}</Num>
        </div>
      )}
    </div>
  );
}
