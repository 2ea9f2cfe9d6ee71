import 'reflect-metadata';
import { getMetadataStorage, registerDecorator } from 'class-validator';
import type { FieldRecord } from '../body.js';
import { Refused } from '../refused.js';
import type { FieldSchema } from './readers.js';

/** A class of fields: the body or the query of a call. */
export type FieldsClass<T extends object = object> = abstract new () => T;

/** One declared property of such a class. */
export interface DeclaredField {
  readonly property: string;
  /** Fields of the wire that it reads, as OpenAPI shows them. */
  readonly parts: readonly {
    readonly name: string;
    readonly schema: FieldSchema;
    readonly required: boolean;
  }[];
  readonly late: boolean;
  readonly keys: readonly string[];
  /** @throws Refused */
  read(record: FieldRecord): unknown;
}

/** A property decorator that fits properties which can hold a `V`; any other does not compile. */
export type FieldOf<V> = <K extends string, T extends { [P in K]?: unknown }>(
  target: T & ([V] extends [T[K]] ? unknown : { readonly 'the field gives': V }),
  property: K,
) => void;

const FIELD = 'bourse:field';

/**
 * Adds a field to the metadata of class-validator: the reader, the OpenAPI schema and class-validator's own checks read
 * its declaration from there.
 */
export function declare<V>(make: (property: string) => DeclaredField): FieldOf<V> {
  return (target, property) => {
    const field = make(property);
    registerDecorator({
      name: FIELD,
      target: target.constructor,
      propertyName: property,
      options: { message: `${property} is refused`, context: { [FIELD]: field } },
      validator: {
        validate(value: unknown): boolean {
          const [first] = field.parts;
          const single = field.parts.length === 1 && first;
          try {
            field.read((single ? { [single.name]: value } : value) as FieldRecord);
            return true;
          } catch (error) {
            if (error instanceof Refused) return false;
            throw error;
          }
        },
      },
    });
  };
}

/** The fields of a class in the order of refusal: as they are declared, those of a base class first. */
export function declaredFields(type: FieldsClass): readonly DeclaredField[] {
  const found = FOUND.get(type);
  if (found) return found;
  const own = getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .flatMap((metadata) => {
      const field = (metadata.context as Record<string, DeclaredField | undefined> | undefined)?.[FIELD];
      return field && typeof metadata.target === 'function'
        ? [{ field, depth: depthOf(metadata.target as never) }]
        : [];
    });
  const byName = new Map<string, DeclaredField>();
  for (const { field } of own.sort((a, b) => a.depth - b.depth)) byName.set(field.property, field);
  const fields = [...byName.values()];
  FOUND.set(type, fields);
  return fields;
}

/** Whether a class declares fields. */
export const isFieldsClass = (type: unknown): type is FieldsClass =>
  typeof type === 'function' && declaredFields(type as FieldsClass).length > 0;

const LATE = new WeakSet<FieldsClass>();
/**
 * The whole class is checked when the use case asks: refusals of a money call belong under its Idempotency-Key, so they
 * must fall where the key's answer is kept (api §1.7, §6.8).
 */
export const UnderKey = (): ((type: FieldsClass) => void) => (type) => {
  LATE.add(type);
};
/** Whether all fields of the class, or of a class it extends, are checked only when they are read. */
export function isUnderKey(type: FieldsClass): boolean {
  for (let at: unknown = type; typeof at === 'function'; at = Object.getPrototypeOf(at))
    if (LATE.has(at as FieldsClass)) return true;
  return false;
}

const FOUND = new WeakMap<FieldsClass, readonly DeclaredField[]>();
function depthOf(type: object): number {
  let depth = 0;
  for (let at = Object.getPrototypeOf(type) as object | null; at; at = Object.getPrototypeOf(at) as object | null)
    depth += 1;
  return depth;
}
