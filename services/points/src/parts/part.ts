import type { Provider, Type } from '@nestjs/common';
import type { Migration } from '@bourse/persistence';
import type { AnySetting, SettingRule } from '@bourse/settings';

/** What one product brings to this service: it is composed with the others in `points.module.ts`. */
export interface Part {
  readonly controllers: readonly Type[];
  readonly providers: readonly Provider[];
  /** Their ids begin with the product's name. */
  readonly migrations: readonly Migration[];
  readonly settings: readonly AnySetting[];
  readonly rules: readonly SettingRule[];
  /** Its `AuditPart`s, which `providers` provide. */
  readonly audit?: readonly Type[];
}
