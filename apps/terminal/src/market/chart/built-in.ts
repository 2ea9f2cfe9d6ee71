import { movingAverage } from '@bourse/realtime';
import type { Indicator } from './indicators/catalogue.js';
import type { ChosenIndicator } from './indicators/chosen.js';

/** The parts of an indicator that the chart needs to draw it. */
export type DrawnIndicator = Omit<Indicator, 'params'>;

/** The indicators of a chart without a choice of its own; the others are loaded when one is chosen. */
const BUILT_IN: readonly DrawnIndicator[] = [
  { id: 'MA', pane: 'prices', compute: (bars, lengths) => lengths.map((length) => movingAverage(bars, length)) },
  { id: 'VOL', pane: 'own', lines: ['VOL'], compute: (bars) => [bars.map((bar) => bar.volume)] },
];

let loaded: readonly DrawnIndicator[] | undefined;

/** The indicator of an id; undefined until its code is loaded. */
export const drawnOf = ({ id }: ChosenIndicator): DrawnIndicator | undefined =>
  [...BUILT_IN, ...(loaded ?? [])].find((one) => one.id === id);

/** Names of the lines of an indicator with its parameters: those of its catalogue, else `MA10`. */
export const lineNames = (
  { id, lines }: Pick<DrawnIndicator, 'id' | 'lines'>,
  params: readonly number[],
): readonly string[] => lines ?? params.map((value) => `${id}${value}`);

/** Loads the indicators that are not built in. */
export async function loadIndicators(): Promise<void> {
  loaded = (await import('./indicators/catalogue.js')).INDICATORS;
}
