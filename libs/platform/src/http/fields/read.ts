import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import type { FieldRecord } from '../body.js';
import { declaredFields, isFieldsClass, isUnderKey, type FieldsClass } from './declared.js';

type Compiled = (record: FieldRecord) => object;
const COMPILED = new WeakMap<FieldsClass, Compiled>();
const RECORD = Symbol('record');

/**
 * Reads a body or a query into an instance of its class: fields in the order of declaration, the first that fails
 * refuses. Late fields, and all of a class `@UnderKey`, are read on first access. @throws Refused
 */
export function readFields<T extends object>(type: FieldsClass<T>, record: FieldRecord): T {
  let compiled = COMPILED.get(type);
  if (!compiled) COMPILED.set(type, (compiled = compile(type)));
  return compiled(record) as T;
}

/** Checks all fields of a class `@UnderKey` but the late ones, in their order. @throws Refused */
export function inOrder<T extends object>(fields: T): T {
  const late = (fields as { [RECORD]?: FieldRecord })[RECORD];
  if (late) for (const field of declaredFields(fields.constructor as FieldsClass)) if (!field.late) field.read(late);
  return fields;
}

/**
 * Compiles the reader of a class once from its decorators: class-validator would walk over its metadata at each call;
 * here the checks are a list of functions.
 */
function compile(type: FieldsClass): Compiled {
  const fields = declaredFields(type);
  const underKey = isUnderKey(type);
  const prototype = Object.create(type.prototype as object) as object;
  const late = fields.filter((field) => underKey || field.late);
  for (const { property, read } of late)
    Object.defineProperty(prototype, property, {
      get(this: { [RECORD]: FieldRecord }) {
        return read(this[RECORD]);
      },
      enumerable: true,
    });
  const early = underKey ? [] : fields.filter((field) => !field.late);
  const shape = function (this: Record<PropertyKey, unknown>, record: FieldRecord): void {
    if (late.length > 0) this[RECORD] = record;
    for (const { property, read } of early) this[property] = read(record);
  } as unknown as new (record: FieldRecord) => object;
  shape.prototype = prototype;
  return (record) => new shape(record);
}

/** Nest's pipe for `@Body()` and `@Query()`: parameters of a class with declared fields become its instances. */
@Injectable()
export class FieldsPipe implements PipeTransform {
  transform(value: unknown, { metatype }: ArgumentMetadata): unknown {
    return isFieldsClass(metatype) ? readFields(metatype, (value ?? {}) as FieldRecord) : value;
  }
}
