import type {
  IPrimitivePaneView,
  ISeriesPrimitive,
  ISeriesPrimitiveBase,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import type { Bar } from '@bourse/contract';
import { token } from '../../parts/token.js';
import { findFreeLabels, type LabelBox } from './free-labels.js';
import type { BarMarker } from './marks.js';
import type { PriceChart } from './price-chart.js';

const ARROW_PX = 5;
const GAP_PX = 6;
const TEXT_PX = 11;

/** Fills at their bars: side is shape and place as well as colour (terminal rule 9). */
export class MarkersPrimitive implements ISeriesPrimitive<Time> {
  private markers: readonly { readonly marker: BarMarker; readonly index: number; readonly price: number }[] = [];
  private redraw: (() => void) | undefined;

  constructor(private readonly chart: PriceChart) {}

  show(markers: readonly BarMarker[], bars: readonly Bar[]): void {
    const places = new Map(bars.map((bar, index) => [bar.time, { bar, index }]));
    this.markers = markers.flatMap((marker) => {
      const at = places.get(marker.time);
      return at ? [{ marker, index: at.index, price: marker.side === 'buy' ? at.bar.low : at.bar.high }] : [];
    });
    this.redraw?.();
  }

  attached({ requestUpdate }: SeriesAttachedParameter): void {
    this.redraw = requestUpdate;
  }

  detached(): void {
    this.redraw = undefined;
  }

  paneViews: ISeriesPrimitiveBase['paneViews'] = () => [this.view];

  private readonly view: IPrimitivePaneView = {
    renderer: () => ({
      draw: (target) =>
        target.useMediaCoordinateSpace(({ context }) => {
          context.font = `${TEXT_PX}px 'Inter Variable', sans-serif`;
          context.textAlign = 'center';
          const labels: (LabelBox & { text: string; colour: string })[] = [];
          for (const { marker, index, price } of this.markers) {
            const point = this.chart.pointAt(index, price);
            if (!point) continue;
            // Below a bar and up for what was bought, above it and down for what was sold.
            const down = marker.side === 'buy' ? 1 : -1;
            const tip = point.y + GAP_PX * down;
            const colour = token(marker.side === 'buy' ? '--up' : '--down');
            context.fillStyle = colour;
            context.beginPath();
            context.moveTo(point.x, tip);
            context.lineTo(point.x - ARROW_PX, tip + 2 * ARROW_PX * down);
            context.lineTo(point.x + ARROW_PX, tip + 2 * ARROW_PX * down);
            context.fill();
            labels.push({
              x: point.x,
              y: tip + (2 * ARROW_PX + 2 + TEXT_PX / 2) * down,
              width: context.measureText(marker.text).width,
              text: marker.text,
              colour,
            });
          }
          context.textBaseline = 'middle';
          // The newest fills keep their texts where bars are close together.
          for (const { x, y, text, colour } of findFreeLabels(
            labels.toSorted((a, b) => b.x - a.x),
            TEXT_PX,
          )) {
            context.fillStyle = colour;
            context.fillText(text, x, y);
          }
          context.textBaseline = 'alphabetic';
        }),
    }),
  };
}
