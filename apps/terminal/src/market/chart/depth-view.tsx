import '../live.css';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { cx, formatFitting, grouped } from '@bourse/ui';
import { useAppearance } from '../../prefs/appearance.js';
import type { PairStream } from '../stream/pair-stream.js';

/** Characters of a sum on the axis. */
const SUM_ROOM = 8;

/** Cumulative depth of both sides, drawn when the book changes. */
export function DepthView({ pair, stream, age }: { pair: QuotationItem; stream: PairStream; age: number | undefined }) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointer = useRef<number | undefined>(undefined);
  const { theme, palette } = useAppearance();
  useEffect(() => {
    let draw: (typeof import('./depth-chart.js'))['drawDepth'] | undefined;
    const texts = {
      price: (price: number) => grouped(price.toFixed(pair.price_scale)),
      sum: (sum: number) => formatFitting(sum.toFixed(pair.number_scale), Math.min(4, pair.number_scale), SUM_ROOM),
      depth: t('chart.depthAt'),
    };
    const view = {
      paint: () => {
        if (canvas.current) draw?.(canvas.current, stream.book, texts, pointer.current);
      },
    };
    const host = canvas.current;
    const point = (event: PointerEvent): void => {
      pointer.current = event.type === 'pointerleave' ? undefined : event.offsetX;
      view.paint();
    };
    host?.addEventListener('pointermove', point);
    host?.addEventListener('pointerleave', point);
    void import('./depth-chart.js').then(({ drawDepth }) => {
      draw = drawDepth;
      view.paint();
    });
    const stop = stream.showBook(view);
    const resized = new ResizeObserver(() => view.paint());
    if (canvas.current) resized.observe(canvas.current);
    return () => {
      stop();
      resized.disconnect();
      host?.removeEventListener('pointermove', point);
      host?.removeEventListener('pointerleave', point);
    };
  }, [stream, pair.price_scale, pair.number_scale, theme, palette, t]);
  return (
    <div className={cx('relative min-h-0 flex-1 overflow-hidden', age !== undefined && 'stale')}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={t('chart.depthLabel', { pair: pair.symbol })}
        className="absolute inset-0 size-full"
      />
    </div>
  );
}
