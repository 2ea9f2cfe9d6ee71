import type { IHeaders } from 'kafkajs';
import { DIRECT_TOPICS, type Message } from '@bourse/events';
import type { OutboxRow } from '@bourse/persistence';
import type { ServiceName } from '@bourse/platform';
import { seenCommands, type Author, type RecordSeal } from '../seal/record-seal.js';
import { ROW_HEADERS } from './kafka-relay.js';

/** A decoded record that was not taken yet: a row of a stream, or a direct command. */
export interface DecodedRecord {
  readonly offset: bigint;
  /** Timestamp of the record, ms. */
  readonly at: number;
  readonly row?: OutboxRow;
  readonly command?: Message;
  readonly author?: ServiceName;
  readonly messages: readonly Message[];
}

/** A record, or why it is dropped. `stream` is null for one that is not a row. */
export type DecodeOutcome =
  | { readonly kind: 'record'; readonly record: DecodedRecord }
  | { readonly kind: 'forged'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly stream: string | null; readonly reason: string };

/** Decodes the records of one Kafka partition and verifies their authors. */
export class RecordDecoder {
  private readonly seen = seenCommands();

  constructor(
    private readonly source: { readonly topic: string; readonly partition: number; readonly topicName: string },
    private readonly seal: RecordSeal | undefined,
  ) {}

  /** Decodes one record: with the header `stream` it is a row, without it a direct command. */
  decode(offset: bigint, at: number, headers: IHeaders | undefined, value: Buffer | null): DecodeOutcome {
    const text = value?.toString('utf8') ?? '';
    const stream = headers?.[ROW_HEADERS.stream]?.toString();
    const row = stream === undefined ? undefined : this.rowOf(stream, headers, text);
    const name = `the record at offset ${offset} of ${this.source.topicName}/${this.source.partition}`;
    // Before the record is parsed: a forged one takes no number and stops no stream, so the true record still counts.
    const signed = this.authenticate(row, headers, text);
    if (signed && 'forged' in signed) return { kind: 'forged', reason: `${name}: ${signed.forged}` };
    const author = signed ? { author: signed.author } : {};
    try {
      if (row) return recorded({ offset, at, row, messages: JSON.parse(text) as Message[], ...author });
      if (!DIRECT_TOPICS.has(this.source.topic))
        throw new Error('it belongs to no stream, and this topic takes no direct commands');
      const command = messageOf(JSON.parse(text));
      return recorded({ offset, at, command, messages: [command], ...author });
    } catch (error) {
      // No service writes such a record. It is skipped as a command; as a row it leaves a hole, which stops its stream.
      return {
        kind: 'unreadable',
        stream: stream ?? null,
        reason: `${name} is not taken: ${(error as Error).message}`,
      };
    }
  }

  private rowOf(stream: string, headers: IHeaders | undefined, payload: string): OutboxRow {
    const header = (name: string): string => headers?.[name]?.toString() ?? '';
    return {
      stream,
      number: Number(header(ROW_HEADERS.number)),
      topic: this.source.topic,
      partition: this.source.partition,
      previousHash: header(ROW_HEADERS.previousHash),
      hash: header(ROW_HEADERS.hash),
      payload,
    };
  }

  /** Null: without a seal records are not verified. */
  private authenticate(row: OutboxRow | undefined, headers: IHeaders | undefined, text: string): Author | null {
    if (!this.seal) return null;
    return row
      ? this.seal.authorOfRow(row, headers)
      : this.seal.authorOfCommand(this.source.topic, this.source.partition, text, headers, this.seen);
  }
}

const recorded = (record: DecodedRecord): DecodeOutcome => ({ kind: 'record', record });

/** Checks that a value has the fields of a command. @throws TypeError */
function messageOf(value: unknown): Message {
  const { type, key, body } = (value ?? {}) as Partial<Message>;
  if (typeof type !== 'string' || typeof key !== 'string' || typeof body !== 'object' || body === null)
    throw new TypeError('it has no type, key and body');
  return value as Message;
}
