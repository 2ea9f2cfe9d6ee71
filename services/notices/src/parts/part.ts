import type { Type } from '@nestjs/common';
import type { Part } from '@bourse/settings';

/** What one part brings to this service. */
export interface NoticesPart extends Part {
  /** Its tables that are read and written as rows. */
  readonly entities: readonly Type<object>[];
}
