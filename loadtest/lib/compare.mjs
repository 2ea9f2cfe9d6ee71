// Ratios of two commits from the results of interleaved runs. Pure.
import { round } from './results.mjs';

/** Figures that are compared; `inverse`: more is better. The names are those of the scenarios. */
const FIGURES = [
  { name: 'full load: orders accepted', inverse: true },
  { name: 'full load: CPU a command' },
  { name: 'full load: order answer p99' },
  { name: 'full load: memory under load' },
  { name: 'half load: CPU a command' },
  { name: 'half load: order answer p50' },
  { name: 'half load: order answer p99' },
];

const valueOf = (result, name) => result.rows.find((row) => row.name === name)?.value;

/** CPU that the generator itself spends on a command, ms: the unit that excludes changes of the machine's speed. */
export function generatorMs(result, load) {
  const cpu = valueOf(result, `${load}: CPU a command`);
  const share = valueOf(result, `${load}: generator's share of the CPU`);
  return cpu === undefined || share === undefined || share >= 100 ? undefined : (cpu * share) / (100 - share);
}

/** CPU a command by process, ms, from the note of its row ("exchange 1.02, postgres 0.61"). */
export function partsOf(result, load) {
  const note = result.rows.find(({ name }) => name === `${load}: CPU a command`)?.note ?? '';
  return Object.fromEntries(
    [...note.matchAll(/([\w-]+) (\d+(?:\.\d+)?)/g)].map(([, part, value]) => [part, Number(value)]),
  );
}

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2;
};
const spread = (values) => ({
  minimum: round(Math.min(...values)),
  median: round(median(values)),
  maximum: round(Math.max(...values)),
});

/** @throws Error for a result that did not reconcile, or that has none of the compared figures */
export function mustBeComparable(result) {
  if (!result.reconciled) throw new Error(`A run did not reconcile: ${result.problems.join('; ')}`);
  if (Object.keys(partsOf(result, 'full load')).length === 0)
    throw new Error('The scenario has no row "full load: CPU a command", so nothing can be compared.');
}

/**
 * Rows { name, before, after, ratio }: each figure's minimum, median and maximum over the rounds, and the median of the
 * rounds' ratios, above 1 where the later commit is better. Each round is a pair of results, run one after the other.
 * @throws Error as `mustBeComparable` does, and without a round
 */
export function compareRuns(pairs) {
  if (pairs.length === 0) throw new Error('There is no round to compare.');
  pairs.flat().forEach(mustBeComparable);
  const compared = (name, read, inverse) => {
    const rows = pairs.map((pair) => pair.map(read));
    if (rows.some((pair) => pair.some((value) => !(value > 0)))) return [];
    return [
      {
        name,
        before: spread(rows.map(([before]) => before)),
        after: spread(rows.map(([, after]) => after)),
        ratio: round(median(rows.map(([before, after]) => (inverse ? after / before : before / after)))),
      },
    ];
  };
  return [
    ...FIGURES.flatMap(({ name, inverse = false }) => compared(name, (result) => valueOf(result, name), inverse)),
    ...['full load', 'half load'].flatMap((load) =>
      compared(`${load}: CPU a command in units of the generator's own`, (result) => {
        const unit = generatorMs(result, load);
        return unit === undefined ? undefined : valueOf(result, `${load}: CPU a command`) / unit;
      }),
    ),
  ];
}

/**
 * The processes of which an order costs more than `most` times what it cost before, each normalised by the generator's
 * own CPU in the same run, as sentences. A process of less than 0.02 ms a command is noise.
 */
export function dearerParts(pairs, most) {
  const runs = pairs.map((pair) =>
    pair.map((result) => ({ parts: partsOf(result, 'full load'), unit: generatorMs(result, 'full load') ?? 1 })),
  );
  const names = new Set(runs.flat().flatMap(({ parts }) => Object.keys(parts)));
  return [...names].flatMap((name) => {
    const values = runs.map((pair) => pair.map(({ parts, unit }) => (parts[name] ?? 0) / unit));
    const isNoise = runs.flat().every(({ parts }) => (parts[name] ?? 0) < 0.02);
    const [before, after] = [0, 1].map((side) => median(values.map((pair) => pair[side])));
    return isNoise || after <= before * most
      ? []
      : [`${name} costs an order ${round(after / Math.max(before, 1e-9))} times what it cost (at most ${most}).`];
  });
}

/** The comparison as a Markdown table. */
export function comparisonTable(rows) {
  const cell = ({ minimum, median, maximum }) => `${median} (${minimum} … ${maximum})`;
  return [
    '| figure | before: median (min … max) | after | better by |',
    '|---|---|---|---|',
    ...rows.map(({ name, before, after, ratio }) => `| ${name} | ${cell(before)} | ${cell(after)} | ${ratio} × |`),
  ].join('\n');
}
