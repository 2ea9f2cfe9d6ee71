/** The part of JSON Schema that messages of the socket use; `tools/push-shapes.mjs` admits no other word. */
export interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

/** Whether a value fits a shape. Fields that the shape does not name are admitted, as in the contract (api §1). */
export function fits(shape: Shape, value: unknown): boolean {
  if (shape.anyOf) return shape.anyOf.some((one) => fits(one, value));
  if (shape.enum) return shape.enum.includes(value);
  if ('const' in shape) return value === shape.const;
  switch (shape.type) {
    case 'object':
      return fitsObject(shape, value);
    case 'array':
      return Array.isArray(value) && (!shape.items || value.every((item) => fits(shape.items!, item)));
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'null':
      return value === null;
    case 'string':
    case 'boolean':
      return typeof value === shape.type;
    default:
      return true;
  }
}

function fitsObject({ properties = {}, required = [] }: Shape, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  if (required.some((name) => fields[name] === undefined)) return false;
  return Object.entries(properties).every(([name, shape]) => fields[name] === undefined || fits(shape, fields[name]));
}
