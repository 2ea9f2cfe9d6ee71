/** One value that an act changed, as text; undefined: it was not there. */
export interface Changed {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The differences between two states, by name. A state is an object, or the text of one as in the audit trail; other
 * texts are one value without a name.
 */
export function changesOf(before: unknown, after: unknown): readonly Changed[] {
  const [one, other] = [stateOf(before), stateOf(after)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) => {
    const [was, is] = [textOf(one[name]), textOf(other[name])];
    return was === is ? [] : [{ name, before: was, after: is }];
  });
}

/** The unchanged values, for acts that name more fields than they change. */
export function unchangedOf(before: unknown, after: unknown): readonly (readonly [name: string, value: string])[] {
  const [one, other] = [stateOf(before), stateOf(after)];
  return Object.keys(other).flatMap((name) => {
    const value = textOf(other[name]);
    return value !== undefined && value === textOf(one[name]) ? [[name, value] as const] : [];
  });
}

function stateOf(value: unknown): Readonly<Record<string, unknown>> {
  const parsed = typeof value === 'string' ? parsedOf(value) : value;
  if (parsed === null || parsed === undefined || parsed === '') return {};
  return typeof parsed === 'object' && !Array.isArray(parsed) ? (parsed as Record<string, unknown>) : { '': parsed };
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
