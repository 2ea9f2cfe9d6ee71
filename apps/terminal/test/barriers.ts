import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

type Violation = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number];
interface Sought {
  /** Only this part of the page. */
  readonly within?: string;
  /** Rules that do not count here. */
  readonly without?: readonly string[];
}

/**
 * What axe finds on a page. In the page itself, which has no frames of other origins, and without the lists of what is
 * in order: the ways to each of those parts took longer than all rules together.
 */
export async function barriersOf(page: Page, { within, without = [] }: Sought = {}): Promise<Violation[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (within) axe.include(within);
  if (without.length > 0) axe.disableRules([...without]);
  return (await axe.analyze()).violations;
}

/** The serious and critical ones, each in a line with the first places where it is. */
export async function seriousBarriers(page: Page, sought: Sought = {}): Promise<string[]> {
  return (await barriersOf(page, sought))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ target }) => target.join(' '))
          .join(' | ')}`,
    );
}
