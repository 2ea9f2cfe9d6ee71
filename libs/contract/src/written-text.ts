/*
 * Text as people type and paste it: the services read it by these rules, the screens show and read it by the same.
 */

/** Shows nothing or turns other characters around: default ignorable, without joiners and variants of signs. */
const HIDDEN = /(?![\u200C\u200D])(?!\p{Variation_Selector})[\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
const JOINER = /[\u200C\u200D]/u;
/** Languages need them between letters, pictures between their parts. */
const JOINER_IN_PLACE =
  /(?<=[\p{L}\p{M}])[\u200C\u200D](?=[\p{L}\p{M}])|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})/gu;
const VARIANT_OUT_OF_PLACE =
  /(?<!\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<!\p{Script=Han})[\uFE00-\uFE0D\u{E0100}-\u{E01EF}]|(?<!\p{Script=Mongolian})[\u180B-\u180D\u180F]/u;

/**
 * Whether a name holds characters that nobody sees or that turn other characters around: so that no two names look
 * equal, and none reads otherwise than it is written. The joiners U+200C and U+200D are allowed between letters.
 */
export const hasHiddenCharacters = (name: string): boolean =>
  name.search(HIDDEN) >= 0 || JOINER.test(name.replaceAll(JOINER_IN_PLACE, '')) || VARIANT_OUT_OF_PLACE.test(name);

/** Free text of one person as another one reads it: without the characters that no name may have. */
export const withoutHiddenCharacters = (text: string): string => text.replaceAll(HIDDEN, '');

/**
 * A password in the one form that all keyboards can write (NFC): some send a letter and its accent apart. Length,
 * comparison and hash are of this form.
 */
export const normalizePassword = (password: string): string => password.normalize('NFC');

/** A one-time code as it was sent: blanks, hyphens and hidden characters of a copied code do not belong to it. */
export const codeCharacters = (text: string): string =>
  text.replaceAll(/[\s\p{Dash_Punctuation}\u2212\p{Default_Ignorable_Code_Point}]/gu, '');

/** First code points of the rows of ten digits that keyboards write: Arabic, Persian, Indian, Thai, full-width ones. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];
/** Decimal and thousands signs of the Arabic script and full-width ones. */
const SIGNS: Readonly<Record<string, string>> = { '٫': '.', '．': '.', '٬': ',', '，': ',' };

/** The number that somebody wrote in the digits of another script, in the digits 0 to 9. */
export const latinDigits = (text: string): string =>
  text.replaceAll(
    /[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\u09E6-\u09EF\u0E50-\u0E59\uFF10-\uFF19٫．٬，]/gu,
    (written) => {
      const code = written.codePointAt(0) ?? 0;
      const zero = ZEROS.find((first) => code >= first && code < first + 10);
      return zero === undefined ? (SIGNS[written] ?? written) : String(code - zero);
    },
  );
