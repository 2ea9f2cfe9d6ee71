import { createHash, createHmac, randomBytes, type KeyObject } from 'node:crypto';
import type { IHeaders } from 'kafkajs';
import { TOPIC_READERS, TOPIC_WRITERS } from '@bourse/events';
import { chainHash, schemaOfStream, type OutboxRow } from '@bourse/persistence';
import { ReplayWindow, sameText, schemaOf, type ServiceKeys, type ServiceName } from '@bourse/platform';

const PURPOSE = 'record';
const FROM = 'from';
const ONCE = 'once';
const MAC = 'mac-';
/**
 * Time after which a seen record is forgotten, because it can no longer be replayed; a partition is read by one process
 * at a time, and that process remembers records as long as it reads.
 */
const REMEMBERED_MS = 3_600_000;

/** The proven author of a record, or the reason why its signature is not valid. */
export type Author = { readonly author: ServiceName } | { readonly forged: string };

/**
 * Proves the author of a record to the readers of a topic (docs/decisions/0064): an HMAC for each of them under the
 * secret that it shares with the writer. For a row it covers its place in its stream and the hash of its chain, hence
 * its payload: one for all messages of a commit. A direct command is covered whole, with a number by which each is
 * taken once.
 */
export class RecordSeal {
  private readonly session = randomBytes(12).toString('base64url');
  private count = 0;

  constructor(private readonly keys: () => ServiceKeys) {}

  /** Headers of a row's record. */
  ofRow(row: Pick<OutboxRow, 'topic' | 'stream' | 'number' | 'previousHash' | 'hash'>): Record<string, string> {
    return this.sealed(row.topic, rowText(row));
  }

  /** Headers of a direct command's record. */
  ofCommand(topic: string, partition: number, value: string): Record<string, string> {
    const once = `${this.session} ${(this.count += 1)}`;
    return { ...this.sealed(topic, commandText(topic, partition, once, value)), [ONCE]: once };
  }

  /** Returns the author of this row: a service that writes the topic, in a stream of its own schema. */
  authorOfRow(row: OutboxRow, headers: IHeaders | undefined): Author {
    const author = this.author(row.topic, headers, rowText(row));
    if ('forged' in author) return author;
    if (schemaOf(author.author) !== schemaOfStream(row.stream))
      return { forged: `${row.stream} is no stream of ${author.author}` };
    if (!row.stream.endsWith(`>${row.topic}/${row.partition}`))
      return { forged: `${row.stream} does not go to ${row.topic}/${row.partition}` };
    return chainHash(row.previousHash, row.payload) === row.hash
      ? author
      : { forged: 'its payload is not what was signed' };
  }

  /** Returns the author of this command, accepted only the first time that `seen` sees it. */
  authorOfCommand(
    topic: string,
    partition: number,
    value: string,
    headers: IHeaders | undefined,
    seen: ReplayWindow,
  ): Author {
    const once = textOf(headers, ONCE);
    const author = this.author(topic, headers, commandText(topic, partition, once, value));
    if ('forged' in author) return author;
    const [session = '', number = ''] = once.split(' ');
    return seen.take(`${author.author} ${session}`, Number(number)) ? author : { forged: 'it was sent before' };
  }

  private sealed(topic: string, text: string): Record<string, string> {
    const keys = this.keys();
    const headers: Record<string, string> = { [FROM]: keys.service };
    for (const reader of TOPIC_READERS[topic] ?? []) {
      const key = keys.with(reader, PURPOSE);
      if (key) headers[MAC + reader] = mac(key, keys.service, reader, text);
    }
    return headers;
  }

  private author(topic: string, headers: IHeaders | undefined, text: string): Author {
    const keys = this.keys();
    const from = textOf(headers, FROM);
    const writer = (TOPIC_WRITERS[topic] ?? []).find((name) => name === from);
    if (writer === undefined)
      return { forged: from === '' ? 'nobody has signed it' : `${from.slice(0, 40)} does not write ${topic}` };
    const key = keys.with(writer, PURPOSE);
    const given = textOf(headers, MAC + keys.service);
    return key !== null && sameText(mac(key, writer, keys.service, text), given)
      ? { author: writer }
      : { forged: `${writer} has not signed it` };
  }
}

/** The memory of direct commands that a reader of a partition keeps. */
export const seenCommands = (): ReplayWindow => new ReplayWindow(REMEMBERED_MS);

const textOf = (headers: IHeaders | undefined, name: string): string => headers?.[name]?.toString() ?? '';
const mac = (key: KeyObject, from: string, to: string, text: string): string =>
  createHmac('sha256', key).update(`${from}\n${to}\n${text}`).digest('base64url');
const rowText = ({
  stream,
  number,
  previousHash,
  hash,
}: Pick<OutboxRow, 'stream' | 'number' | 'previousHash' | 'hash'>) =>
  `row\n${stream}\n${number}\n${previousHash}\n${hash}`;
const commandText = (topic: string, partition: number, once: string, value: string): string =>
  `command\n${topic}\n${partition}\n${once}\n${createHash('sha256').update(value).digest('base64url')}`;
