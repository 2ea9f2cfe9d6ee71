/** Most characters of a preview; the row cuts it to its width. */
const PREVIEW_MAX = 160;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

/** The text of a notice without markup and links, for the line under its title. */
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
