/** Journals of all partitions share one number space: number × 64 + partition. */
const PARTITIONS_MAX = 64n;

/** Id of a journal in all lists. */
export const journalId = ({ number, partition }: { readonly number: number; readonly partition: number }): string =>
  (BigInt(number) * PARTITIONS_MAX + BigInt(partition)).toString();
