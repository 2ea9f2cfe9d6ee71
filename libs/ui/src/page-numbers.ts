/** Pages around the shown one with the first and the last; 0 is a gap. `pagesShown(6, 20)` is 1 0 5 6 7 0 20. */
export function pagesShown(page: number, pages: number): number[] {
  const wanted = [1, page - 1, page, page + 1, pages].filter((at) => at >= 1 && at <= pages);
  const sorted = [...new Set(wanted)].sort((a, b) => a - b);
  return sorted.flatMap((at, index) => {
    const gap = at - (sorted[index - 1] ?? at);
    return gap > 2 ? [0, at] : gap === 2 ? [at - 1, at] : [at];
  });
}
