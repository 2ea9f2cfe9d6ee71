import { CatalogId, PageOf, RowId, type Page } from '@bourse/platform';

/* Fields of the calls of api §2.10. */

export class NewsListBody {
  @CatalogId({ field: 'c_id', about: '11 notices, 34 banners, 35 strip, 32 gift, 33 popup, 9 about us, 36 support' })
  category!: number;
  @PageOf(20) page!: Page;
}
export class NewsBody {
  @RowId() id!: number;
}
