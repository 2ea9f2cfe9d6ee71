import { PageOf, RowId, type Page } from '@bourse/platform';

/** Fields of operators' lists. */
export class AdminOrdersQuery {
  @PageOf(50) page!: Page;
  @RowId({ min: 1, optional: true }) userId?: number | undefined;
}
