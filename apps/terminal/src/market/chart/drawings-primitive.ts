import type {
  IPrimitivePaneView,
  ISeriesPrimitive,
  ISeriesPrimitiveBase,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import { token } from '../../parts/token.js';
import type { Anchor, Drawing, Point } from './drawing-tools.js';
import { barIndex, movedBy, segmentsOf, timeAt, type Segment } from './drawings.js';
import type { PriceChart } from './price-chart.js';

const TEXT_PX = 11;
const DOT_PX = 4;

/** Paints the drawings of a person on the chart and on its pictures. */
export class DrawingsPrimitive implements ISeriesPrimitive<Time> {
  private drawings: readonly Pick<Drawing, 'id' | 'tool' | 'points'>[] = [];
  private selected: string | undefined;
  private redraw: (() => void) | undefined;

  constructor(private readonly chart: PriceChart) {}

  /** The function that gives the pixels of an anchor, for one painting; it gives undefined without bars. */
  private placing(): (anchor: Anchor) => Point | undefined {
    const times = this.chart.times();
    return ({ time, price }) => {
      const index = barIndex(time, times);
      return index === undefined ? undefined : this.chart.pointAt(index, price);
    };
  }

  /** The anchor at a point of the pane of prices. */
  anchorAt(x: number, y: number): Anchor | undefined {
    const at = this.chart.placeAt(x, y);
    const time = at && timeAt(at.index, this.chart.times());
    return at && time !== undefined ? { time, price: at.price } : undefined;
  }

  /** A drawing moved by so many pixels; undefined where it cannot lie there. */
  moved(drawing: Drawing, by: Point): Drawing | undefined {
    return movedBy(drawing, by, this.placing(), (x, y) => this.anchorAt(x, y));
  }

  show(drawings: readonly Pick<Drawing, 'id' | 'tool' | 'points'>[], selected: string | undefined): void {
    this.drawings = drawings;
    this.selected = selected;
    this.redraw?.();
  }

  attached({ requestUpdate }: SeriesAttachedParameter): void {
    this.redraw = requestUpdate;
  }

  detached(): void {
    this.redraw = undefined;
  }

  /** The lines of a drawing in a pane of this width. */
  segments(drawing: Pick<Drawing, 'tool' | 'points'>, width: number, place = this.placing()): readonly Segment[] {
    return segmentsOf(drawing, place, width, this.chart.priceText);
  }

  paneViews: ISeriesPrimitiveBase['paneViews'] = () => [this.view];

  private readonly view: IPrimitivePaneView = {
    renderer: () => ({
      draw: (target) =>
        target.useMediaCoordinateSpace(({ context, mediaSize }) => {
          const place = this.placing();
          for (const drawing of this.drawings) {
            const selected = drawing.id === this.selected;
            context.strokeStyle = context.fillStyle = token(selected ? '--accent' : '--info');
            context.lineWidth = selected ? 2 : 1;
            context.font = `${TEXT_PX}px 'Inter Variable', sans-serif`;
            for (const { from, to, text } of this.segments(drawing, mediaSize.width, place)) {
              context.beginPath();
              context.moveTo(from.x, from.y);
              context.lineTo(to.x, to.y);
              context.stroke();
              if (text !== undefined) context.fillText(text, Math.max(4, from.x + 4), from.y - 4);
            }
            for (const point of drawing.tool === 'horizontal' ? [] : drawing.points.map(place)) {
              if (!point) continue;
              context.beginPath();
              context.arc(point.x, point.y, selected ? DOT_PX : DOT_PX / 2, 0, 2 * Math.PI);
              context.fill();
            }
          }
        }),
    }),
  };
}
