import { Readable } from 'node:stream';
import { Raw } from './refused.js';

/**
 * An answer that is saved as a file. It leaves piece by piece, so that it is never in memory as a whole. Its first two
 * pieces, the head and the first rows, are read before the answer begins: what cannot be read causes a refusal, and not
 * half a file [EXPORT-013].
 */
export async function attachment(
  pieces: AsyncGenerator<string>,
  { contentType, name }: { readonly contentType: string; readonly name: string },
): Promise<Raw> {
  const head = await pieces.next();
  const first = await pieces.next();
  return new Raw(Readable.from(continueFrom([head, first], pieces)), {
    contentType: `${contentType}; charset=utf-8`,
    headers: { 'content-disposition': `attachment; filename="${name}"` },
  });
}

async function* continueFrom(
  begun: readonly IteratorResult<string>[],
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  for (const piece of begun) if (piece.done !== true && piece.value !== '') yield piece.value;
  // A piece of a history may have no matching row.
  for await (const piece of rest) if (piece !== '') yield piece;
}
