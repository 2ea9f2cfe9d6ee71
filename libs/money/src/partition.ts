/**
 * Partition of a key, chosen by our own code and never by a client library's hash (architecture §1). FNV-1a over UTF-16
 * code units. The number of partitions is fixed at install and checked at start.
 */
export function partitionOf(key: string, partitions: number): number {
  if (partitions === 1) return 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193) >>> 0;
  return hash % partitions;
}
