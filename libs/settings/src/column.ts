import { declaredFields, Field, Refused, type FieldOf, type FieldSchema, type FieldsClass } from '@bourse/platform';
import { WrongValue, type ValueType } from './value-types.js';

/**
 * A column of a list, as a field of the call that changes a row (`CatalogBody`): undefined where the call does not name
 * it, so that it stays as it is. An empty text clears a column that may be empty. Refused as `common.fieldInvalid` with
 * the type and bounds of the column [SETTING-010]. A guarded column concerns money or permissions: a change waits for a
 * second admin, and then for an hour (rules §15) [HARD-460].
 */
export function Column<T>(type: ValueType<T>, { guarded }: { readonly guarded: boolean }): FieldOf<T | undefined> {
  const declare: FieldOf<T | undefined> = Field(
    {
      read(text, field): T {
        try {
          return type.read(text ?? '');
        } catch (error) {
          if (!(error instanceof WrongValue)) throw error;
          throw new Refused(
            'common.fieldInvalid',
            { field },
            { field, extra: { value_type: type.name, bounds: type.bounds, why: error.message } },
          );
        }
      },
      schema: schemaOf(type),
      keys: ['common.fieldInvalid'],
    },
    { optional: true, empty: true },
  );
  return (target, property) => {
    declare(target, property);
    const body = target.constructor;
    const columns = COLUMNS.get(body) ?? new Map<string, ColumnFacts>();
    COLUMNS.set(body, columns.set(property, { guarded, type }));
  };
}

/** The facts of a column beside its name. */
export interface ColumnFacts {
  readonly guarded: boolean;
  readonly type: ValueType<unknown>;
}
const COLUMNS = new WeakMap<object, Map<string, ColumnFacts>>();

/** The columns of a list by their names on the wire, in the order in which its body declares them. */
export function columnsOf(body: FieldsClass): ReadonlyMap<string, ColumnFacts> {
  const columns = COLUMNS.get(body);
  return new Map(
    declaredFields(body).flatMap(({ property, parts: [part] }): [string, ColumnFacts][] => {
      const facts = columns?.get(property);
      return part && facts ? [[part.name, facts]] : [];
    }),
  );
}

/** How a value is written on the wire; bounds that JSON schema cannot express are given as they are. */
function schemaOf({ name, bounds }: ValueType<unknown>): FieldSchema {
  switch (name) {
    case 'flag':
      return { type: 'integer', enum: (bounds['choices'] as string[]).map(Number) };
    case 'integer':
      return { type: 'integer', minimum: bounds['min'], maximum: bounds['max'] };
    case 'text':
      return { type: 'string', minLength: bounds['min'], maxLength: bounds['max'] };
    case 'choice':
      return { type: 'string', enum: bounds['choices'] };
    case 'decimal':
    case 'texts':
    case 'list':
      return { type: 'string', description: `${name}: ${JSON.stringify(bounds)}` };
  }
}
