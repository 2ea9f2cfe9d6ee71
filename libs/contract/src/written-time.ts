/** Time text of the contract: `YYYY-MM-DD HH:mm:ss` in UTC, empty for what has not happened (api §1.6). */
export function writtenTime(at: number | Date | null | undefined): string {
  if (at === null || at === undefined) return '';
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
