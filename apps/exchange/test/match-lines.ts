/** Matches an output that consists of these lines, each by its pattern. */
export const matchLines = (...lines: readonly RegExp[]): RegExp =>
  new RegExp(`^${lines.map(({ source }) => source).join('\n')}\n$`);
