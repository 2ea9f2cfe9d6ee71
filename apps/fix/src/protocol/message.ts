import { TAG } from './tags.js';

/* Messages of FIX 4.4 as text: each character is one byte (latin-1). */

export type Field = readonly [tag: number, value: string];

const BEGIN_STRING = 'FIX.4.4';
const SOH = '\x01';
/** Longer messages end the connection. Bytes of the body. */
const BODY_MAX = 8_192;
/** Longer than the beginning of any message: version and length of the body. */
const HEAD_MAX = 32;
const HEAD = new RegExp(`^8=([^${SOH}]{1,12})${SOH}9=(\\d{1,6})${SOH}`);
const TRAILER_LENGTH = '10=000|'.length;
/** Fields that say how many bytes the next field has, whose value may hold the delimiter. */
const LENGTHS = new Set([90, 93, 95, 212, 348, 350, 352, 354, 356, 358, 360, 362, 364, 445, 618, 621]);

/** A message that was received, with its fields in the order in which they came, without length and checksum. */
export class Message {
  private readonly values: ReadonlyMap<number, string>;

  constructor(readonly fields: readonly Field[]) {
    this.values = new Map(fields);
  }

  get(tag: number): string | undefined {
    return this.values.get(tag);
  }

  get type(): string {
    return this.values.get(TAG.MsgType) ?? '';
  }

  isSet(tag: number): boolean {
    return this.values.get(tag) === 'Y';
  }

  /** Its number; NaN where it has none. */
  get seq(): number {
    return integerOf(this.values.get(TAG.MsgSeqNum)) ?? NaN;
  }
}

/** A whole number without sign, or undefined. */
export const integerOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

const sumOf = (text: string): string => {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
  return String(sum % 256).padStart(3, '0');
};

/** A message as it is sent: its fields, type first, between the version with the length and the checksum. */
export function encode(fields: readonly Field[]): string {
  // Texts are ASCII: other letters are no single byte, and control characters would end the field.
  const body = fields.map(([tag, value]) => `${tag}=${value.replace(/[^\x20-\x7e]/g, '?')}${SOH}`).join('');
  const start = `${TAG.BeginString}=${BEGIN_STRING}${SOH}${TAG.BodyLength}=${body.length}${SOH}${body}`;
  return `${start}${TAG.CheckSum}=${sumOf(start)}${SOH}`;
}

/** Bytes that are not FIX, or a message that is too long: nothing after it can be read. */
export class BrokenStream extends Error {}

/** Cuts a stream of bytes into messages; garbled ones are left out, as the standard demands, and counted. */
export class Framer {
  private pending = '';
  garbled = 0;

  /** @throws BrokenStream */
  *push(bytes: string): Generator<Message> {
    this.pending += bytes;
    for (;;) {
      const head = HEAD.exec(this.pending.slice(0, HEAD_MAX));
      if (!head) {
        if (this.pending.length < HEAD_MAX && '8=FIX'.startsWith(this.pending.slice(0, 5))) return;
        if (!this.skip()) return;
        continue;
      }
      const length = Number(head[2]);
      if (length > BODY_MAX) throw new BrokenStream(`a message of ${length} bytes is longer than ${BODY_MAX}`);
      const end = head[0].length + length;
      if (this.pending.length < end + TRAILER_LENGTH) return;
      const trailer = this.pending.slice(end, end + TRAILER_LENGTH);
      const fields =
        trailer === `10=${sumOf(this.pending.slice(0, end))}${SOH}` && head[1] === BEGIN_STRING
          ? fieldsOf(this.pending.slice(head[0].length, end))
          : undefined;
      if (!fields) {
        if (!this.skip()) return;
        continue;
      }
      this.pending = this.pending.slice(end + TRAILER_LENGTH);
      yield new Message(fields);
    }
  }

  /** Goes on at what may be the next message; false: it did not arrive yet. */
  private skip(): boolean {
    this.garbled += 1;
    const next = this.pending.indexOf('8=FIX', 1);
    if (next < 0 && this.pending.length > BODY_MAX) throw new BrokenStream('this is not FIX 4.4');
    this.pending = next < 0 ? '' : this.pending.slice(next);
    return next >= 0;
  }
}

/** The fields of a body, or undefined where it has another form. */
function fieldsOf(body: string): readonly Field[] | undefined {
  const fields: Field[] = [];
  let at = 0;
  let length: number | undefined;
  while (at < body.length) {
    const equals = body.indexOf('=', at);
    if (equals < 0) return undefined;
    const digits = body.slice(at, equals);
    if (!/^[1-9]\d{0,8}$/.test(digits)) return undefined;
    const end: number = length === undefined ? body.indexOf(SOH, equals) : equals + 1 + length;
    if (end < 0 || body[end] !== SOH) return undefined;
    const value = body.slice(equals + 1, end);
    fields.push([Number(digits), value]);
    length = LENGTHS.has(Number(digits)) ? integerOf(value) : undefined;
    at = end + 1;
  }
  return fields[0]?.[0] === TAG.MsgType ? fields : undefined;
}

/** A time as FIX writes it, in UTC with milliseconds. */
export function timeOf(ms: number): string {
  const [day = '', time = ''] = new Date(ms).toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.replace('Z', '')}`;
}

/** Unix milliseconds of a time of FIX, or undefined. Parts of milliseconds are cut off. */
export function millisOf(text: string | undefined): number | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)-(\d\d:\d\d:\d\d)(?:\.(\d{3})\d{0,6})?$/.exec(text ?? '');
  if (!found) return undefined;
  const [, year, month, day, time, millis = '000'] = found;
  const ms = Date.parse(`${year}-${month}-${day}T${time}.${millis}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}
