import { declaredFields, isFieldsClass } from '@bourse/platform';

/** Right-to-left override between letters: the rest of the text reads backwards. */
const TURNED = 'Ha\u202Erbor-1';

/**
 * Names on the wire of the text fields of some modules that keep a hidden character. Such fields are compared or looked
 * up, and no screen shows them as a name: a test lists all of them, so that each new field needs a decision [HARD-506].
 */
export function fieldsThatKeepHiddenCharacters(...modules: readonly object[]): string[] {
  const fields = modules.flatMap(Object.values).filter(isFieldsClass).flatMap(declaredFields);
  const kept = fields.flatMap(({ parts, read }) => parts.filter(({ name }) => keeps(read, name)));
  return [...new Set(kept.map(({ name }) => name))].sort();
}

function keeps(read: (record: Record<string, string>) => unknown, name: string): boolean {
  try {
    return read({ [name]: TURNED }) === TURNED;
  } catch {
    return false; // refused, for this or another reason
  }
}
