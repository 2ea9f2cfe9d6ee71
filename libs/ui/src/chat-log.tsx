import { ArrowDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from './button.js';
import { ChatBubble, type ChatWords } from './chat-bubble.js';
import { chatRows, type ChatMessage } from './chat-rows.js';
import { cx } from './class-names.js';
import { Num } from './num.js';

/** Whether there are messages before the first one shown. */
export type OlderMessages = 'none' | 'more' | 'loading' | 'failed';

/** A distance to an end of the list (px) that counts as being there. */
const NEAR_PX = 32;
/** Time for screen readers to skip the messages that were put above. */
const QUIET_MS = 1_000;

/**
 * The messages of a conversation, oldest first. New ones are read out and keep the newest in sight, unless the reader
 * has scrolled up; scrolled to the top it loads older ones, which are put above without moving the visible ones.
 */
export function ChatLog({
  messages,
  words,
  firstUnread,
  older = 'none',
  onOlder,
  onRetry,
  className,
}: {
  messages: readonly ChatMessage[];
  words: ChatWords;
  /** Id of the first message that was unread: a line is drawn above it, and the list opens there. */
  firstUnread?: string | undefined;
  older?: OlderMessages;
  onOlder: () => void;
  /** Sends a message again that has not arrived. */
  onRetry: (message: ChatMessage) => void;
  className?: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef<{ first?: string; last?: string; height: number }>({ height: 0 });
  const sticks = useRef(true);
  const [atEnd, setAtEnd] = useState(true);
  const [quiet, setQuiet] = useState(false);
  const first = messages[0]?.id;
  const last = messages.at(-1);

  useLayoutEffect(() => {
    const list = box.current;
    if (!list) return;
    const was = shown.current;
    const opening = was.first === undefined;
    if (opening) {
      const line = list.querySelector<HTMLElement>('[data-unread]');
      list.scrollTop = line ? line.offsetTop - NEAR_PX : list.scrollHeight;
    } else if (was.first !== first && messages.some(({ id }) => id === was.first)) {
      list.scrollTop += list.scrollHeight - was.height;
    }
    if (!opening && was.last !== last?.id && (sticks.current || last?.from === 'own'))
      list.scrollTop = list.scrollHeight;
    shown.current = {
      ...(first === undefined ? {} : { first }),
      ...(last === undefined ? {} : { last: last.id }),
      height: list.scrollHeight,
    };
  }, [messages, first, last]);

  useEffect(() => {
    if (!quiet || older === 'loading') return undefined;
    const timer = setTimeout(() => setQuiet(false), QUIET_MS);
    return () => clearTimeout(timer);
  }, [quiet, older, first]);

  const askOlder = (): void => {
    setQuiet(true);
    onOlder();
  };
  const onScroll = (): void => {
    const list = box.current;
    if (!list) return;
    sticks.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX;
    setAtEnd(sticks.current);
    if (list.scrollTop < NEAR_PX && older === 'more') askOlder();
  };
  return (
    <div className={cx('relative flex min-h-0 flex-col', className)}>
      <div
        ref={box}
        role="log"
        aria-label={words.log}
        // Older messages put above are not announced.
        aria-live={quiet || older === 'loading' ? 'off' : 'polite'}
        aria-busy={older === 'loading'}
        tabIndex={0}
        onScroll={onScroll}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain p-3 [overflow-anchor:none]"
      >
        <Older state={older} words={words} onOlder={askOlder} />
        {messages.length === 0 && older === 'none' && (
          <p className="p-6 text-center text-body text-t2">{words.empty}</p>
        )}
        <ol className="flex flex-col">
          {chatRows(messages, firstUnread).map((row) =>
            row.kind === 'message' ? (
              <ChatBubble
                key={row.id}
                message={row.message}
                joined={row.joined}
                words={words}
                onRetry={() => onRetry(row.message)}
              />
            ) : row.kind === 'day' ? (
              <li key={row.id} className="mt-3 text-center text-label text-t2">
                <Num>{row.day}</Num>
              </li>
            ) : (
              <li key={row.id} data-unread="" className="mt-3 flex items-center gap-3 text-label text-accent">
                <span aria-hidden className="h-px flex-1 bg-accent" />
                {words.unread}
                <span aria-hidden className="h-px flex-1 bg-accent" />
              </li>
            ),
          )}
        </ol>
      </div>
      {!atEnd && (
        <Button
          size="small"
          className="absolute inset-x-0 bottom-2 mx-auto w-fit bg-bg1 shadow-lg"
          onClick={() => box.current?.scrollTo({ top: box.current.scrollHeight })}
        >
          <ArrowDown size={14} aria-hidden /> {words.toNewest}
        </Button>
      )}
    </div>
  );
}

/** The top of the list: a button for earlier messages, for readers who do not scroll. */
function Older({ state, words, onOlder }: { state: OlderMessages; words: ChatWords; onOlder: () => void }) {
  if (state === 'none') return null;
  return (
    <div className="flex min-h-7 flex-wrap items-center justify-center gap-2 text-table text-t2">
      {state === 'failed' && <span className="text-down">{words.olderFailed}</span>}
      {state === 'loading' ? (
        words.loadingOlder
      ) : (
        <Button size="small" kind="quiet" onClick={onOlder}>
          {state === 'failed' ? words.retry : words.older}
        </Button>
      )}
    </div>
  );
}
