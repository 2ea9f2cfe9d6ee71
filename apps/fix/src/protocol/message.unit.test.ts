import { expect, test } from '@jest/globals';
import { BrokenStream, encode, Framer, millisOf, timeOf } from './message.js';
import { TAG, TYPE } from './tags.js';

const readable = (text: string): string => text.replaceAll('\x01', '|');
/** A message as QuickFIX has sent it. */
const HEARTBEAT = '8=FIX.4.4|9=55|35=0|34=9|49=TRADER|52=20261128-09:16:40.354|56=BOURSE|10=118|'.replaceAll(
  '|',
  '\x01',
);

test('a message has its type first, its length and its checksum [FIX-011]', () => {
  const sent = encode([
    [TAG.MsgType, TYPE.TestRequest],
    [TAG.SenderCompID, 'BOURSE'],
    [TAG.TestReqID, 'a'],
  ]);
  expect(readable(sent)).toBe('8=FIX.4.4|9=21|35=1|49=BOURSE|112=a|10=128|');
  const [known] = [...new Framer().push(HEARTBEAT)];
  expect(encode(known!.fields)).toBe(HEARTBEAT);
  // What would end the field, or is no byte of its own, does not reach the wire.
  expect(
    readable(
      encode([
        [TAG.MsgType, TYPE.Logout],
        [TAG.Text, 'a\x0135=D é'],
      ]),
    ),
  ).toContain('58=a?35=D ?|');
});

test('messages are cut out of the stream wherever it was split, and garbled ones are left out [FIX-011]', () => {
  const one = encode([
    [TAG.MsgType, TYPE.Heartbeat],
    [TAG.MsgSeqNum, '7'],
  ]);
  const two = encode([
    [TAG.MsgType, TYPE.Logon],
    [TAG.RawDataLength, '5'],
    [TAG.RawData, 'ab=cd'],
    [TAG.MsgSeqNum, '8'],
  ]);
  const damaged = one.replace('34=7', '34=9');
  const stream = `${one}${damaged}no fix${two}${one}`;
  for (const size of [1, 2, 7, stream.length]) {
    const framer = new Framer();
    const found = [];
    for (let at = 0; at < stream.length; at += size) found.push(...framer.push(stream.slice(at, at + size)));
    expect(found.map(({ type, seq }) => [type, seq])).toEqual([
      ['0', 7],
      ['A', 8],
      ['0', 7],
    ]);
    expect(found[1]!.get(TAG.RawData)).toBe('ab=cd');
    expect(framer.garbled).toBeGreaterThan(0);
  }
});

test('a data field may contain the delimiter within its length [FIX-011]', () => {
  const body = '35=A\x0195=3\x0196=a\x01b\x0134=1\x01';
  const start = `8=FIX.4.4\x019=${body.length}\x01${body}`;
  const sum = [...start].reduce((all, letter) => all + letter.charCodeAt(0), 0) % 256;
  const [message] = [...new Framer().push(`${start}10=${String(sum).padStart(3, '0')}\x01`)];
  expect(message!.get(TAG.RawData)).toBe('a\x01b');
  expect(message!.seq).toBe(1);
});

test('a message that is not FIX 4.4, or too long, ends the stream [FIX-011]', () => {
  expect(() => [...new Framer().push('8=FIX.4.4\x019=9000\x0135=0\x01')]).toThrow(BrokenStream);
  expect(() => {
    const framer = new Framer();
    for (let times = 0; times < 20; times += 1) Array.from(framer.push('GET / HTTP/1.1\r\n'.repeat(1_000)));
  }).toThrow(BrokenStream);
  // Another version is not read as if it were ours.
  expect([...new Framer().push(HEARTBEAT.replace('FIX.4.4', 'FIX.4.2'))]).toEqual([]);
});

test('times are those of FIX, in UTC to the millisecond [FIX-011]', () => {
  const at = Date.UTC(2026, 10, 28, 9, 16, 40, 354);
  expect(timeOf(at)).toBe('20261128-09:16:40.354');
  expect(millisOf('20261128-09:16:40.354')).toBe(at);
  expect(millisOf('20261128-09:16:40.354999')).toBe(at);
  expect(millisOf('20261128-09:16:40')).toBe(at - 354);
  for (const wrong of ['', '2026-11-28T09:16:40Z', '20261328-09:16:40', '20261128-25:16:40', undefined])
    expect(millisOf(wrong)).toBeUndefined();
});
