/** Signs of a preview; the row cuts it to its width. */
const PREVIEW_MAX = 160;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

/** The words of a notice before its link: what a list shows under the title. */
export function previewOf(html: string): string {
  const words = html
    .replace(/<a\s[^>]*>.*?<\/a>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...words];
  return letters.length <= PREVIEW_MAX ? words : `${letters.slice(0, PREVIEW_MAX).join('').trimEnd()}…`;
}
