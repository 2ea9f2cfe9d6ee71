import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { SessionStore } from '../store.js';
import { encode, Framer, timeOf, type Field, type Message } from './message.js';
import { FixSession, type Connection } from './session.js';
import { TAG, TYPE } from './tags.js';

const folder = mkdtempSync(join(tmpdir(), 'bourse-fix-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
let clock = Date.UTC(2026, 10, 28, 9);

/** A session with a store of its own, and the other side of its connections. */
async function world(file = join(folder, `${(files += 1)}.log`)) {
  const store = await SessionStore.open(file, clock);
  const handled: { type: string; seq: number; isRepeat: boolean }[] = [];
  let answer: (message: Message) => Promise<void> = () => Promise.resolve();
  const ends: boolean[] = [];
  const session = new FixSession({
    parties: { own: 'BOURSE', other: 'TRADER' },
    store,
    now: () => clock,
    onMessage: (message, isRepeat) => {
      handled.push({ type: message.type, seq: message.seq, isRepeat });
      return answer(message);
    },
    onEnd: (isFarewell) => ends.push(isFarewell),
    onFailure: (error) => {
      throw error;
    },
  });
  const message = (seq: number, type: string, body: readonly Field[] = [], more: readonly Field[] = []): Message => {
    const text = encode([
      [TAG.MsgType, type],
      [TAG.SenderCompID, 'TRADER'],
      [TAG.TargetCompID, 'BOURSE'],
      [TAG.MsgSeqNum, String(seq)],
      [TAG.SendingTime, timeOf(clock)],
      ...more,
      ...body,
    ]);
    return [...new Framer().push(text)][0]!;
  };
  const connect = async (seq: number, more: readonly Field[] = []) => {
    const framer = new Framer();
    const sent: Message[] = [];
    let isOpen = true;
    const connection: Connection = {
      write: (text) => sent.push(...framer.push(text)),
      end: () => (isOpen = false),
      hasUnread: () => false,
    };
    const logon = message(seq, TYPE.Logon, [[TAG.EncryptMethod, '0'], ...more]);
    if (logon.isSet(TAG.ResetSeqNumFlag)) await session.reset();
    const accepted = await session.accept(connection, logon, 30);
    return { accepted, connection, sent, isOpen: () => isOpen, texts: () => sent.map(brief) };
  };
  return {
    file,
    store,
    session,
    handled,
    ends,
    connect,
    message,
    receive: (...given: Parameters<typeof message>) => session.receive(message(...given)),
    answerBy: (by: typeof answer) => (answer = by),
    report: (name: string) => session.send(TYPE.ExecutionReport, [[TAG.ClOrdID, name]]),
  };
}
/** Type and number of a message, and what matters beside. */
function brief(message: Message): string {
  const more = [TAG.ClOrdID, TAG.BeginSeqNo, TAG.EndSeqNo, TAG.NewSeqNo, TAG.Text, TAG.TestReqID, TAG.RefSeqNum]
    .map((tag) => message.get(tag))
    .filter((value) => value !== undefined);
  return [`${message.type}${message.seq}`, ...(message.isSet(TAG.PossDupFlag) ? ['again'] : []), ...more].join(' ');
}

test('messages sent while disconnected are stored and resent on request [FIX-014]', async () => {
  const { connect, report, receive, session } = await world();
  const first = await connect(1);
  await report('a');
  await receive(2, TYPE.TestRequest, [[TAG.TestReqID, 'x']]);
  await report('b');
  expect(first.texts()).toEqual(['A1', '82 a', '03 x', '84 b']);
  session.drop(first.connection);
  await report('c');
  const second = await connect(3);
  expect(second.texts()).toEqual(['A6']);
  await receive(4, TYPE.ResendRequest, [
    [TAG.BeginSeqNo, '2'],
    [TAG.EndSeqNo, '0'],
  ]);
  // Messages of the session are skipped, the others come as they were, with the time of before.
  expect(second.texts().slice(1)).toEqual(['82 again a', '43 again 4', '84 again b', '85 again c', '46 again 7']);
  expect(second.sent[1]!.get(TAG.OrigSendingTime)).toBe(timeOf(clock));
});

test('a gap is requested once, and a repeated message is applied once [FIX-014]', async () => {
  const { connect, receive, handled } = await world();
  const { texts } = await connect(1);
  await receive(4, TYPE.NewOrderSingle);
  await receive(5, TYPE.NewOrderSingle);
  expect(texts()).toEqual(['A1', '22 2 0']);
  const again: readonly Field[] = [
    [TAG.PossDupFlag, 'Y'],
    [TAG.OrigSendingTime, timeOf(clock)],
  ];
  await receive(2, TYPE.NewOrderSingle, [], again);
  await receive(
    3,
    TYPE.SequenceReset,
    [
      [TAG.GapFillFlag, 'Y'],
      [TAG.NewSeqNo, '5'],
    ],
    again,
  );
  await receive(5, TYPE.NewOrderSingle, [], again);
  await receive(2, TYPE.NewOrderSingle, [], again);
  await receive(6, TYPE.NewOrderSingle);
  expect(handled).toEqual([
    { type: 'D', seq: 2, isRepeat: true },
    { type: 'D', seq: 5, isRepeat: true },
    { type: 'D', seq: 6, isRepeat: false },
  ]);
});

test('a message that was not done before a restart comes again, one that was done does not [FIX-015]', async () => {
  const { connect, receive, answerBy, file, session, store, handled } = await world();
  await connect(1);
  answerBy((message) => (message.seq === 2 ? new Promise(() => undefined) : Promise.resolve()));
  void receive(2, TYPE.NewOrderSingle);
  await receive(3, TYPE.NewOrderSingle);
  expect(handled).toHaveLength(2);
  await store.append({});
  expect(session).toBeDefined();
  const later = await world(file);
  const { texts } = await later.connect(4);
  expect(texts()).toEqual(['A2', '23 2 0']);
  const again: readonly Field[] = [[TAG.PossDupFlag, 'Y']];
  await later.receive(2, TYPE.NewOrderSingle, [], again);
  await later.receive(3, TYPE.NewOrderSingle, [], again);
  await later.receive(
    4,
    TYPE.SequenceReset,
    [
      [TAG.GapFillFlag, 'Y'],
      [TAG.NewSeqNo, '5'],
    ],
    again,
  );
  expect(later.handled).toEqual([{ type: 'D', seq: 2, isRepeat: true }]);
  expect(later.store.nextIn).toBe(5);
});

const gapFill = (next: number): readonly Field[] => [
  [TAG.GapFillFlag, 'Y'],
  [TAG.NewSeqNo, String(next)],
];

test('a gap fill over many numbers is one change, and a message that is under way stays open [FIX-022]', async () => {
  const { connect, receive, answerBy, store } = await world();
  await connect(1);
  let settle: () => void = () => undefined;
  answerBy(() => new Promise((resolve) => (settle = resolve)));
  const slow = receive(2, TYPE.NewOrderSingle);
  await receive(9_000, TYPE.Heartbeat);
  const append = jest.spyOn(store, 'append');
  await receive(3, TYPE.SequenceReset, gapFill(9_001));
  expect(append).toHaveBeenCalledTimes(1);
  expect([store.nextIn, store.doneAhead]).toEqual([2, []]);
  await receive(9_001, TYPE.Heartbeat);
  settle();
  await slow;
  expect([store.nextIn, store.doneAhead]).toEqual([9_002, []]);
});

test('a gap fill far beyond all numbers received is rejected, and the session continues [FIX-022]', async () => {
  const { connect, receive, handled, store } = await world();
  const { texts, isOpen } = await connect(1);
  await receive(2, TYPE.SequenceReset, gapFill(999_999_999));
  expect(texts()).toEqual(['A1', '32 NewSeqNo 2']);
  await receive(3, TYPE.NewOrderSingle);
  expect([isOpen(), store.nextIn]).toEqual([true, 4]);
  expect(handled).toEqual([{ type: 'D', seq: 3, isRepeat: false }]);
  // A gap that was requested is filled, however long it is.
  await receive(500_000, TYPE.Heartbeat);
  await receive(4, TYPE.SequenceReset, gapFill(500_001));
  expect(store.nextIn).toBe(500_001);
});

test('numbers that are too low, and times that are far off, end the connection with a reason [FIX-014]', async () => {
  const { connect, receive, session, ends, message } = await world();
  const first = await connect(1);
  await receive(2, TYPE.Heartbeat);
  await receive(2, TYPE.NewOrderSingle);
  expect(first.texts()).toEqual(['A1', '52 MsgSeqNum too low, expecting 3 but received 2']);
  expect([first.isOpen(), ends]).toEqual([false, [false]]);
  const low = await connect(1);
  expect([low.accepted, low.texts()]).toEqual([false, ['53 MsgSeqNum too low, expecting 3 but received 1']]);
  // The next message is read whatever came before.
  const third = await connect(3);
  expect([third.accepted, third.texts()]).toEqual([true, ['A4']]);
  const late = message(4, TYPE.NewOrderSingle);
  clock += 121_000;
  await session.receive(late);
  expect(third.texts().slice(1)).toEqual(['35 SendingTime accuracy problem 4', '56 SendingTime accuracy problem']);
});

test('a reset restarts both sequences; messages in flight do not use new numbers [FIX-014]', async () => {
  const { connect, receive, answerBy, store, report } = await world();
  await connect(1);
  await report('a');
  let settle: () => void = () => undefined;
  answerBy((message) => (message.seq === 3 ? new Promise((resolve) => (settle = resolve)) : Promise.resolve()));
  await receive(2, TYPE.NewOrderSingle);
  const slow = receive(3, TYPE.NewOrderSingle);
  const { texts, sent } = await connect(1, [[TAG.ResetSeqNumFlag, 'Y']]);
  settle();
  await slow;
  expect(texts()).toEqual(['A1']);
  expect(sent[0]!.isSet(TAG.ResetSeqNumFlag)).toBe(true);
  expect([store.nextIn, store.nextOut, store.messages.size]).toEqual([2, 2, 0]);
});

test('a connection ends after its Logout is written, however many ask for its end [FIX-026]', async () => {
  const { connect, session, receive, ends } = await world();
  const { texts, isOpen } = await connect(1);
  const first = session.leave('the first reason');
  const second = session.leave('the second reason');
  const farewell = receive(2, TYPE.Logout);
  expect(isOpen()).toBe(true);
  await Promise.all([first, second, farewell]);
  expect([texts(), isOpen(), ends]).toEqual([['A1', '52 the first reason'], false, [false]]);
});

test('a Logout that is being stored does not end the next connection [FIX-026]', async () => {
  const { connect, session } = await world();
  const first = await connect(1);
  const left = session.leave('a reason');
  session.drop(first.connection);
  const second = await connect(2);
  await left;
  expect([second.texts(), second.isOpen()]).toEqual([['A3'], true]);
});

test('silence is answered by a test, then by an end; our own silence is filled [FIX-014]', async () => {
  const { connect, session } = await world();
  const { texts, isOpen } = await connect(1);
  clock += 30_000;
  await session.tick();
  clock += 7_000;
  await session.tick();
  await session.tick();
  expect(texts()).toEqual(['A1', '02', `13 ${clock}`]);
  clock += 36_000;
  await session.tick();
  expect(isOpen()).toBe(false);
});

test('a line that a crash cut off is dropped, damage before it is refused [FIX-015]', async () => {
  const { connect, report, file, store } = await world();
  await connect(1);
  await report('a');
  await store.close();
  appendFileSync(file, '{"nextOut":9,"se');
  const later = await world(file);
  expect([later.store.nextOut, [...later.store.messages.keys()]]).toEqual([3, [2]]);
  await later.store.close();
  const text = readFileSync(file, 'utf8');
  appendFileSync(file, `{"nextOut"\n${text}`);
  await expect(SessionStore.open(file, clock)).rejects.toThrow(/is damaged in line \d+/);
});
