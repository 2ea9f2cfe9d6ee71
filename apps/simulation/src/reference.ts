import type { ReferenceKind } from '@bourse/events';
import { Reference } from '@bourse/messaging';

type Rows = Readonly<Partial<Record<ReferenceKind, readonly object[]>>>;

/** The catalog of a simulated exchange, of all services: it does not change. */
export class FixedReference extends Reference {
  constructor(private readonly catalogs: readonly Rows[]) {
    super();
  }
  all<T>(kind: ReferenceKind): readonly T[] {
    return this.catalogs.flatMap((rows) => rows[kind] ?? []) as readonly unknown[] as readonly T[];
  }
  get<T>(kind: ReferenceKind, id: string): T | undefined {
    return this.all<{ id: number }>(kind).find((row) => String(row.id) === id) as T | undefined;
  }
  onChange(): void {
    /* it never does */
  }
  ready(): Promise<void> {
    return Promise.resolve();
  }
}
