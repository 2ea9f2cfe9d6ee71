import type { Provider, Type } from '@nestjs/common';
import type { Migration } from '@bourse/persistence';
import type { AnySetting, SettingRule } from '@bourse/settings';

/** What one part brings to this service: it is composed with the others in `notices.module.ts`. */
export interface Part {
  readonly controllers: readonly Type[];
  readonly providers: readonly Provider[];
  readonly migrations: readonly Migration[];
  /** Its tables that are read and written as rows. */
  readonly entities: readonly Type<object>[];
  readonly settings: readonly AnySetting[];
  readonly rules: readonly SettingRule[];
  /** Its `WorkPart`s, which `providers` provide. */
  readonly work?: readonly Type[];
  /** Its `AuditPart`s, which `providers` provide. */
  readonly audit?: readonly Type[];
}
