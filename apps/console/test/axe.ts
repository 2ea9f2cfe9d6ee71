import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

type Found = Awaited<ReturnType<AxeBuilder['analyze']>>;
/** A rule that is broken, and the places where it is. */
export interface Barrier {
  readonly id: string;
  readonly places: readonly string[];
}

/** The rules of the package, as short as they come: the browser reads all of them on every page that it loads. */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** What axe finds on a page, which gets the rules once: `AxeBuilder` hands them over, long and twice, at each look. */
export async function barriersOf(page: Page): Promise<Barrier[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (part: Document, options: object) => Promise<Found> } };
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => ({ id, places: nodes.map(({ target }) => target.join(' ')) }));
  });
}
