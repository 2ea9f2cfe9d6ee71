interface Pages<Page> {
  readonly pages: readonly Page[];
}

/**
 * The rows of the pages that are loaded; undefined before the first one. Lists begin with the newest row, so what is
 * added meanwhile moves rows to the next page: each appears once.
 */
export function collectRows<Page, Row extends { readonly id: string | number }>(
  loaded: Pages<Page> | undefined,
  rowsOf: (page: Page) => readonly Row[],
): Row[] | undefined {
  const seen = new Set<string | number>();
  return loaded?.pages.flatMap(rowsOf).filter(({ id }) => !seen.has(id) && seen.add(id));
}
