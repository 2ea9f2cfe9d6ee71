import { PageOf, RowId, Text, Time, type Page } from '@bourse/platform';

/* Fields of the calls about journals, each class in the order of rules §12.9. */

export class JournalQuery {
  @RowId({ optional: true }) userId?: number;
  @Text({ max: 40, pattern: /^[a-z_]+$/, optional: true }) causeType?: string;
  @Text({ max: 100, pattern: /^[A-Za-z0-9:/_.-]+$/, optional: true }) causeId?: string;
  @Time({ optional: true }) from?: number;
  @Time({ optional: true, about: 'The named second belongs to it' }) to?: number;
  @PageOf(50) page!: Page;
}
