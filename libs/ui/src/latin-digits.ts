/** First code points of the rows of ten digits that keyboards write: Arabic, Persian, Indian, Thai, full-width ones. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];
/** Decimal and thousands signs of the Arabic script and full-width ones. */
const SIGNS: Readonly<Record<string, string>> = { '٫': '.', '．': '.', '٬': ',', '،': ',', '，': ',' };

/** A number in the digits of another script, rewritten in the digits 0 to 9. */
export const latinDigits = (text: string): string =>
  text.replaceAll(
    /[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\u09E6-\u09EF\u0E50-\u0E59\uFF10-\uFF19٫．٬،，]/gu,
    (written) => {
      const code = written.codePointAt(0) ?? 0;
      const zero = ZEROS.find((first) => code >= first && code < first + 10);
      return zero === undefined ? (SIGNS[written] ?? written) : String(code - zero);
    },
  );
