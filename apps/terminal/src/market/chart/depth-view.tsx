import '../live.css';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { cx, grouped } from '@bourse/ui';
import { useAppearance } from '../../prefs/appearance.js';
import type { PairStream } from '../stream/pair-stream.js';

/** Cumulative depth of both sides, drawn when the book changes. */
export function DepthView({ pair, stream, age }: { pair: QuotationItem; stream: PairStream; age: number | undefined }) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { theme, palette } = useAppearance();
  useEffect(() => {
    let draw: (typeof import('./depth-chart.js'))['drawDepth'] | undefined;
    const view = {
      paint: () => {
        if (canvas.current)
          draw?.(canvas.current, stream.book.bids, stream.book.asks, (price) =>
            grouped(price.toFixed(pair.price_scale)),
          );
      },
    };
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
    };
  }, [stream, pair.price_scale, theme, palette]);
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
