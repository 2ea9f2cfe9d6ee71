import { GripVertical } from 'lucide-react';
import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { Num } from '@bourse/ui';
import { FOLLOW_MS, placeAtLines } from './line-places.js';
import type { ChartLine } from './marks.js';
import type { PriceChart } from './price-chart.js';

const HANDLE_PX = 24;
/** A press that moved less than this many pixels is a press. */
const STILL_PX = 3;

interface Dragged {
  readonly id: string;
  readonly from: number;
  readonly y: number;
  readonly price: string;
}

/**
 * At each line that can be dragged a handle. While it is held the line's figures follow the pointer, whatever prices
 * do; the drop asks, Escape lets go. A press or the Enter key opens the same by keyboard.
 */
export function LineDrags({ chart, lines }: { chart: PriceChart | undefined; lines: readonly ChartLine[] }) {
  const host = useRef<HTMLDivElement>(null);
  const offered = lines.filter((line) => line.drag !== undefined);
  const now = useRef(offered);
  now.current = offered;
  const [dragged, setDragged] = useState<Dragged | undefined>();
  const held = useRef(dragged);
  held.current = dragged;
  useEffect(() => {
    if (!chart) return undefined;
    const follow = (): void => placeAtLines(chart, host.current, now.current, HANDLE_PX, held.current?.id);
    follow();
    const timer = setInterval(follow, FOLLOW_MS);
    return () => clearInterval(timer);
  }, [chart, offered.length]);
  const moving = dragged !== undefined;
  useEffect(() => {
    if (!moving) return undefined;
    const letGo = (event: KeyboardEvent): void => {
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
    event.currentTarget.style.transform = `translateY(${Math.round(y) - HANDLE_PX / 2}px)`;
    setDragged({ ...dragged, y, price });
  };
  const drop = (line: ChartLine, event: PointerEvent): void => {
    if (!dragged) return;
    setDragged(undefined);
    if (Math.abs(yOf(event) - dragged.from) < STILL_PX) line.drag?.open();
    else line.drag?.drop(dragged.price);
  };
  const line = offered.find(({ id }) => id === dragged?.id);
  return (
    <div dir="ltr">
      <div ref={host} className="absolute inset-x-0 top-0">
        {offered.map((one) => (
          <button
            key={one.id}
            type="button"
            aria-label={one.drag?.label}
            title={one.drag?.label}
            data-line={one.id}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' && event.key !== ' ') return;
              event.preventDefault();
              one.drag?.open();
            }}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              setDragged({ id: one.id, from: yOf(event), y: yOf(event), price: one.price });
            }}
            onPointerMove={move}
            onPointerUp={(event) => drop(one, event)}
            onPointerCancel={() => setDragged(undefined)}
            style={{ visibility: 'hidden' }}
            className={
              'absolute top-0 left-9 z-10 grid size-6 cursor-ns-resize touch-none place-items-center rounded-chip ' +
              'border border-line-strong bg-bg1 text-t2 hover:text-t1'
            }
          >
            <GripVertical size={14} aria-hidden />
          </button>
        ))}
      </div>
      {dragged && line && (
        <div
          className="pointer-events-none absolute inset-x-0 top-0 z-10 border-t border-dashed border-accent"
          style={{ transform: `translateY(${Math.round(dragged.y)}px)` }}
        >
          <Num className="absolute left-16 bg-bg1 px-1 text-label">{line.drag?.preview(dragged.price)}</Num>
        </div>
      )}
    </div>
  );
}
