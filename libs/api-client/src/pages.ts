/** The number of the page after this one; undefined after the last. Lists are read page by page (api §1). */
export const nextPage = (last: { readonly has_more: number; readonly page: number }): number | undefined =>
  last.has_more === 1 ? last.page + 1 : undefined;
