/** Levels a side that the checksum of a book covers (api §4). */
export const CHECKED_LEVELS = 20;

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

/** Unsigned CRC-32 (IEEE) of an ASCII text. Implemented here, because browsers have none. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) crc = TABLE[(crc ^ text.charCodeAt(at)) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

type Levels = readonly (readonly [price: string, number: string])[];

/**
 * CRC-32 over the best 20 levels: bid 1 price, bid 1 number, ask 1 price, ask 1 number, bid 2 …, missing levels left
 * out, texts as sent (api §4).
 */
export function bookChecksum(bids: Levels, asks: Levels): number {
  const parts: string[] = [];
  for (let at = 0; at < CHECKED_LEVELS; at += 1) {
    const bid = bids[at];
    const ask = asks[at];
    if (bid) parts.push(bid[0], bid[1]);
    if (ask) parts.push(ask[0], ask[1]);
  }
  return crc32(parts.join(':'));
}
