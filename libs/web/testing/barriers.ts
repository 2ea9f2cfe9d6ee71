import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

type Found = Awaited<ReturnType<AxeBuilder['analyze']>>;
/** A rule that is broken, and the places where it is. */
export interface Barrier {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}
interface Sought {
  /** Only this part of the page. */
  readonly within?: string;
  /** Rules that do not count here. */
  readonly without?: readonly string[];
  /** Only these rules, also those that axe leaves out by default. */
  readonly alone?: readonly string[];
}

/** The rules of the package, as short as they come: the browser reads all of them on every page that it loads. */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * Runs axe on a page. In the page itself, which has no frames of other origins, and without the lists of passed rules.
 * A page gets the rules once: `AxeBuilder` sends them, long and twice, at each run, and that took longer than all rules
 * together.
 */
export async function barriersOf(page: Page, { within, without = [], alone }: Sought = {}): Promise<Barrier[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(
    async ({ part, off, only }) => {
      const { axe } = window as unknown as { axe: { run: (part: unknown, options: object) => Promise<Found> } };
      const rules = Object.fromEntries(off.map((rule) => [rule, { enabled: false }]));
      const runOnly = only && { runOnly: { type: 'rule', values: only } };
      const { violations } = await axe.run(part ?? document, { resultTypes: ['violations'], rules, ...runOnly });
      return violations.map(({ id, impact, nodes }) => ({
        id,
        impact: impact ?? '',
        nodes: nodes.map(({ target }) => ({ target: target.map(String) })),
      }));
    },
    { part: within, off: [...without], only: alone && [...alone] },
  );
}

/** A rule with the first places where it is broken. */
export const lineOf = ({ id, nodes }: Barrier): string =>
  `${id}: ${nodes
    .slice(0, 3)
    .map(({ target }) => target.join(' '))
    .join(' | ')}`;

/** The serious and critical ones, each in a line. */
export async function seriousBarriers(page: Page, sought: Sought = {}): Promise<string[]> {
  return (await barriersOf(page, sought))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(lineOf);
}
