import type { Bar } from '@bourse/contract';
import { grouped } from '@bourse/ui';
import { barTexts } from './keyboard.js';

/** The labels of the figures of a bar. */
export type BarWords = Readonly<Record<'open' | 'high' | 'low' | 'close' | 'change' | 'volume', string>>;

/** A line of the legend: the lines of one indicator, each with its colour. */
export interface LegendRow {
  /** Its pane; 0 is that of the prices. */
  readonly pane: number;
  /** Text before its lines; empty where the names of the lines are enough. */
  readonly title: string;
  readonly names: readonly string[];
  readonly colours: readonly string[];
}

/** A value of an indicator in its own pane, whatever its size. */
export function indicatorText(value: number, priceScale: number): string {
  const size = Math.abs(value);
  if (size >= 100_000) return grouped(value.toFixed(0));
  return grouped(value.toFixed(size >= 1 || value === 0 ? 2 : Math.min(8, Math.max(4, priceScale))));
}

/** The figures of the bar under the crosshair, else of the newest one, written without React. */
export class ChartLegend {
  private head: HTMLElement | undefined;
  private rows: { readonly row: LegendRow; readonly element: HTMLElement; readonly cells: HTMLElement[] }[] = [];

  constructor(
    /** Element of the rows of the prices. */
    private readonly prices: HTMLElement,
    /** A layer over the whole chart, for the rows of other panes. */
    private readonly panes: HTMLElement,
  ) {}

  /** Replaces the rows by those of the indicators on the chart. */
  setRows(rows: readonly LegendRow[]): void {
    this.prices.replaceChildren();
    this.panes.replaceChildren();
    this.head = this.appendLine(this.prices);
    this.rows = rows.map((row) => {
      const element = this.appendLine(row.pane === 0 ? this.prices : this.panes);
      element.dir = 'ltr';
      if (row.title !== '') element.append(span(row.title));
      const cells = row.names.map((_, at) => {
        const cell = span('');
        cell.style.color = row.colours[at] ?? '';
        element.append(cell);
        return cell;
      });
      return { row, element, cells };
    });
  }

  /** Moves the rows of other panes to the tops of their panes. */
  place(tops: readonly (number | undefined)[]): void {
    for (const { row, element } of this.rows) {
      if (row.pane === 0) continue;
      element.style.position = 'absolute';
      element.style.insetInlineStart = '8px';
      element.style.top = `${(tops[row.pane] ?? 0) + 4}px`;
    }
  }

  /** The figures of one bar. @param values of each row its lines */
  write(
    bar: Bar | undefined,
    values: readonly (readonly (number | undefined)[])[],
    words: BarWords,
    priceScale: number,
  ): void {
    if (!this.head) return;
    this.head.replaceChildren();
    if (bar) {
      const { change, ...prices } = barTexts(bar, priceScale);
      for (const name of ['open', 'high', 'low', 'close'] as const)
        this.appendFigure(words[name], grouped(prices[name]));
      this.appendFigure(words.change, change, bar.close >= bar.open ? 'var(--up)' : 'var(--down)');
      this.appendFigure(words.volume, indicatorText(bar.volume, 4));
    }
    for (const [at, { row, cells }] of this.rows.entries())
      for (const [line, cell] of cells.entries()) {
        const value = values[at]?.[line];
        const figure =
          value === undefined
            ? '–'
            : row.pane === 0
              ? grouped(value.toFixed(priceScale))
              : indicatorText(value, priceScale);
        const text = `${row.names[line]} ${figure}`;
        if (cell.textContent !== text) cell.textContent = text;
      }
  }

  private appendFigure(word: string, text: string, colour = ''): void {
    const cell = span(`${word} `);
    const figure = document.createElement('bdi');
    figure.dir = 'ltr';
    figure.style.color = colour || 'var(--t1)';
    figure.textContent = text;
    cell.append(figure);
    this.head?.append(cell);
  }

  private appendLine(host: HTMLElement): HTMLElement {
    const element = document.createElement('div');
    element.className = 'chart-legend';
    host.append(element);
    return element;
  }
}

function span(text: string): HTMLElement {
  const element = document.createElement('span');
  element.textContent = text;
  return element;
}
