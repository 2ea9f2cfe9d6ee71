import { Integer, PageOf, RowId, type Page } from '@bourse/platform';

export class TreeBody {
  @RowId({ optional: true, min: 1, about: 'Root of the tree; required without a token' }) userId?: number | undefined;
  @Integer({ optional: true, min: 1, about: 'Of those invited by this member, those after that one' }) after?:
    | number
    | undefined;
}

export class ProfitsQuery {
  @PageOf(20) page!: Page;
}
