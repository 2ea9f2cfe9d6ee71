const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Unsigned CRC-32 (IEEE) of an ASCII text. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) crc = (crc >>> 8) ^ TABLE[(crc ^ text.charCodeAt(at)) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}
