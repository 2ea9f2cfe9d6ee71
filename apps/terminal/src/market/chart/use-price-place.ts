import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import type { PriceChart } from './price-chart.js';

/** How long a touch rests on a price until the menu opens. */
const LONG_PRESS_MS = 500;
/** A touch that moved further scrolls the chart. */
const STILL_PX = 8;

/** A price of the chart and its place in the window. */
export interface PricePlace {
  readonly x: number;
  readonly y: number;
  /** Decimal text with the decimals of the pair. */
  readonly price: string;
}

interface PlaceHandlers {
  readonly onContextMenu: (event: MouseEvent<HTMLElement>) => void;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
}

/**
 * The price whose menu is open: that under a press of the second button or a long touch, and the `keyPrice` by Enter or
 * the keyboard's menu key.
 */
export function usePricePlace(
  chart: PriceChart | undefined,
  keyPrice: () => string | undefined,
): {
  readonly place: PricePlace | undefined;
  readonly close: () => void;
  /** Attributes of the element of the chart. */
  readonly handlers: PlaceHandlers;
  readonly onKey: (event: KeyboardEvent<HTMLElement>) => void;
} {
  const [place, setPlace] = useState<PricePlace | undefined>();
  const touch = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> } | undefined>(undefined);
  const endTouch = (): void => {
    clearTimeout(touch.current?.timer);
    touch.current = undefined;
  };
  useEffect(() => endTouch, []);
  const openAt = (host: HTMLElement, x: number, y: number): boolean => {
    const price = chart?.priceAt(y - host.getBoundingClientRect().top);
    if (price !== undefined) setPlace({ x, y, price });
    return price !== undefined;
  };
  const openByKey = (host: HTMLElement): void => {
    const price = keyPrice();
    if (price === undefined) return;
    const { left, top, width, height } = host.getBoundingClientRect();
    setPlace({ x: left + width / 2, y: top + (chart?.yOf(price) ?? height / 2), price });
  };
  return {
    place,
    close: () => setPlace(undefined),
    handlers: {
      onContextMenu: (event) => {
        const host = event.currentTarget;
        // A long touch opens the menu by its own timer: not every browser reports it.
        const isTouch = touch.current !== undefined;
        const isPress = event.button === 2 || event.ctrlKey;
        if (isTouch || !isPress) event.preventDefault();
        if (isTouch) return;
        if (!isPress) openByKey(host);
        else if (openAt(host, event.clientX, event.clientY)) event.preventDefault();
      },
      onPointerDown: (event) => {
        endTouch();
        if (event.pointerType !== 'touch' || !event.isPrimary) return;
        const { currentTarget: host, clientX: x, clientY: y } = event;
        const timer = setTimeout(() => openAt(host, x, y), LONG_PRESS_MS);
        touch.current = { x, y, timer };
      },
      onPointerMove: (event) => {
        const from = touch.current;
        if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL_PX) endTouch();
      },
      onPointerUp: endTouch,
      onPointerCancel: endTouch,
    },
    onKey: (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      openByKey(event.currentTarget);
    },
  };
}
