import { LANGUAGES, type Language } from '@bourse/contract';

/** A text in each of several languages; a language without one is not there. */
export type TextsByLanguage = Readonly<Partial<Record<Language, string>>>;

/** The texts of a field, from JSON by language or the object itself. What is neither has no texts. */
export function textsIn(value: unknown): TextsByLanguage {
  const known = typeof value === 'string' ? parsed(value) : value;
  if (typeof known !== 'object' || known === null) return {};
  const texts = known as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const text = texts[language];
      return typeof text === 'string' && text !== '' ? [[language, text]] : [];
    }),
  );
}

/** JSON of the texts in the order of the languages, so that the same texts are the same JSON; empty without any. */
export function textsWritten(texts: TextsByLanguage): string {
  const kept = textsIn(texts);
  return Object.keys(kept).length === 0 ? '' : JSON.stringify(kept);
}

/** The texts with one of them changed; an empty one is taken out. */
export const withText = (written: string, language: Language, text: string): string =>
  textsWritten({ ...textsIn(written), [language]: text });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
