/** Whether a text has each word of a search, in any order and case, with or without the commas of its numbers. */
export function matchesSearch(text: string, search: string): boolean {
  const plain = (one: string): string => one.toLowerCase().replace(/(?<=\d),(?=\d)/g, '');
  const held = plain(text);
  return plain(search)
    .split(/\s+/)
    .every((word) => held.includes(word));
}
