import type { Type } from '@nestjs/common';
import type { Part } from '@bourse/settings';

/** The components that one part adds to this service. */
export interface NoticesPart extends Part {
  /** Its tables that are read and written as rows. */
  readonly entities: readonly Type<object>[];
}
