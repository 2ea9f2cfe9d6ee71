/*
 * Rules for text that people type and paste. Services and screens read and show it by the same rules.
 */

/** Shows nothing or turns other characters around: default ignorable, without joiners and variants of signs. */
const HIDDEN = /(?![\u200C\u200D])(?!\p{Variation_Selector})[\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
const PLAIN = /^[\x20-\x7e]*$/;
const JOINER = /[\u200C\u200D]/u;
/** Some languages need them between letters, emoji between their parts. */
const JOINER_IN_PLACE = [
  /(?<=[\p{L}\p{M}])[\u200C\u200D](?=[\p{L}\p{M}])/gu,
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})/gu,
];
/** Variants of signs: of pictures, of Chinese and of Mongolian ones; nothing else changes by them. */
const VARIANT_OUT_OF_PLACE = [
  /(?<!\p{Extended_Pictographic})[\uFE0E\uFE0F]/u,
  /(?<!\p{Script=Han})[\uFE00-\uFE0D\u{E0100}-\u{E01EF}]/u,
  /(?<!\p{Script=Mongolian})[\u180B-\u180D\u180F]/u,
];

/**
 * Whether a name holds characters that are invisible or that reorder other characters: no two names may look equal, and
 * none may read otherwise than it is written. The joiners U+200C and U+200D are allowed between letters.
 */
export function hasHiddenCharacters(name: string): boolean {
  if (PLAIN.test(name)) return false;
  if (name.search(HIDDEN) >= 0 || VARIANT_OUT_OF_PLACE.some((out) => out.test(name))) return true;
  return JOINER.test(JOINER_IN_PLACE.reduce((rest, inPlace) => rest.replaceAll(inPlace, ''), name));
}

/** Free text as other people read it: without the characters that names may not have. */
export const withoutHiddenCharacters = (text: string): string => text.replaceAll(HIDDEN, '');

/** Characters that show nothing by themselves: also the joiners and variants that free text may hold. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;

/** Number of visible characters of a text, without blanks at its ends. */
export const shownLength = (text: string): number => text.replaceAll(INVISIBLE, '').trim().length;

/**
 * Free text as other people read it, without blanks at its ends; empty if nothing of it is visible. Length limits apply
 * to this text, so that invisible characters do not count as a reason.
 */
export const shownText = (text: string): string =>
  shownLength(text) === 0 ? '' : withoutHiddenCharacters(text).trim();

/**
 * A password in normal form (NFC): some keyboards send a letter and its accent separately. Length, comparison and hash
 * are of this form.
 */
export const normalizePassword = (password: string): string => password.normalize('NFC');

/** A one-time code as it was sent: blanks, hyphens and hidden characters of a copied code do not belong to it. */
export const codeCharacters = (text: string): string =>
  text.replaceAll(/[\s\p{Dash_Punctuation}\u2212\p{Default_Ignorable_Code_Point}]/gu, '');
