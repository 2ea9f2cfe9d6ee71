import { useEffect, useRef, useState, type RefObject } from 'react';
import { useAppearance } from '../../prefs/appearance.js';
import type { ChartStyle } from './chart-style.js';
import type { ChartMarks } from './marks.js';
import type { PriceChart } from './price-chart.js';
import type { BarHistory } from './simulated.js';
import type { BarSink } from './use-candles.js';

/** Elements of the page that the chart writes into. */
export interface ChartHosts {
  readonly host: RefObject<HTMLElement | null>;
  /** Element of the legend of the prices. */
  readonly legend: RefObject<HTMLElement | null>;
  /** A layer over the chart for the legends of other panes. */
  readonly panes: RefObject<HTMLElement | null>;
}

/**
 * The chart in its host, loaded lazily; look and marks follow what is given. The `history` is drawn once it is there,
 * and it becomes the `sink` of bars that follow.
 */
export function usePriceChart(
  { host, legend, panes }: ChartHosts,
  sink: RefObject<BarSink | undefined>,
  look: ChartStyle,
  marks: ChartMarks,
  history: () => BarHistory,
): { chart: PriceChart | undefined } {
  const ref = useRef<PriceChart | undefined>(undefined);
  const [chart, setChart] = useState<PriceChart | undefined>();
  const { theme, palette } = useAppearance();
  const now = useRef({ look, marks, history });
  now.current = { look, marks, history };
  useEffect(() => {
    let gone = false;
    void import('./price-chart.js').then(({ PriceChart: Chart }) => {
      if (gone || !host.current || !legend.current || !panes.current) return;
      const legends = { prices: legend.current, panes: panes.current };
      ref.current = new Chart(host.current, legends, now.current.look);
      sink.current = ref.current;
      ref.current.setHistory(now.current.history());
      ref.current.setMarks(now.current.marks);
      setChart(ref.current);
    });
    return () => {
      gone = true;
      ref.current?.destroy();
      ref.current = undefined;
      sink.current = undefined;
    };
  }, [host, legend, panes, sink]);
  const { kind, interval, indicators, scale, priceScale, locale } = look;
  useEffect(() => {
    ref.current?.setLook(now.current.look);
  }, [kind, interval, indicators, scale, priceScale, locale, theme, palette]);
  useEffect(() => {
    ref.current?.setMarks(marks);
  }, [marks]);
  return { chart };
}
