import type { Socket } from 'socket.io';

interface QueuedPacket {
  readonly data?: unknown;
}
interface Connection {
  readonly writeBuffer?: QueuedPacket[];
  readonly transport?: { readonly socket?: { readonly bufferedAmount?: number } };
}

/** Bytes that are queued for a slow client: in the engine's queue, and in its websocket. */
export function backlogOf(socket: Socket): number {
  const { writeBuffer = [], transport } = socket.conn as unknown as Connection;
  let bytes = transport?.socket?.bufferedAmount ?? 0;
  for (const packet of writeBuffer) bytes += sizeOf(packet.data);
  return bytes;
}

/** Removes queued depth frames; a snapshot follows when the client has caught up. */
export function dropDepthFrames(socket: Socket): void {
  const { writeBuffer } = socket.conn as unknown as Connection;
  if (!writeBuffer) return;
  const kept = writeBuffer.filter(({ data }) => !(typeof data === 'string' && data.startsWith(DEPTH_FRAME)));
  writeBuffer.splice(0, writeBuffer.length, ...kept);
}

const DEPTH_FRAME = '2["market_depth"';
const sizeOf = (data: unknown): number => (typeof data === 'string' || Buffer.isBuffer(data) ? data.length : 0);
