import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.js';
import type { ChatMessage } from './chat-rows.js';
import { cx } from './class-names.js';
import { PERSONAL_TEXT } from './personal-text.js';
import { clockTime, localTime } from './format.js';
import { Num } from './num.js';

/** Words of a chat, in the reader's language. */
export interface ChatWords {
  readonly log: string;
  readonly empty: string;
  readonly older: string;
  readonly loadingOlder: string;
  readonly olderFailed: string;
  readonly unread: string;
  readonly toNewest: string;
  /** The labels of the speakers: the reader, the other side, the exchange. */
  readonly you: string;
  readonly other: string;
  readonly exchange: string;
  readonly sending: string;
  readonly failed: string;
  readonly retry: string;
  readonly picture: string;
  readonly pictureFailed: string;
}

const SIDES = {
  own: { place: 'ms-auto items-end', look: 'bg-bg3' },
  other: { place: 'me-auto items-start', look: 'border border-line bg-bg2' },
  system: { place: 'mx-auto items-center text-center', look: 'border border-dashed border-line-strong text-t2' },
} as const;

/** One message: own ones at the end of the line, the other side's at its start, the exchange's in the middle. */
export function ChatBubble({
  message,
  joined,
  words,
  onRetry,
}: {
  message: ChatMessage;
  joined: boolean;
  words: ChatWords;
  onRetry: () => void;
}) {
  const { from, text, picture, at, state } = message;
  const who = { own: words.you, other: words.other, system: words.exchange }[from];
  const { place, look } = SIDES[from];
  return (
    <li data-from={from} className={cx('flex max-w-[85%] flex-col gap-1', place, joined ? 'mt-1' : 'mt-3')}>
      <div
        className={cx(
          'flex max-w-full flex-col gap-2 rounded-panel px-3 py-2 text-body',
          look,
          state === 'sending' && 'opacity-80',
          state === 'failed' && 'border border-down',
        )}
      >
        <span className="sr-only">{who}: </span>
        {picture !== undefined && <Picture src={picture} words={words} />}
        {text !== '' && (
          <p {...PERSONAL_TEXT} className="break-words whitespace-pre-wrap">
            {text}
          </p>
        )}
      </div>
      <p className="flex flex-wrap items-center gap-2 text-label text-t2">
        <time dateTime={new Date(at).toISOString()} title={localTime(at)}>
          <Num>{clockTime(at).slice(0, 5)}</Num>
        </time>
        {state === 'sending' && <span>{words.sending}</span>}
        {state === 'failed' && (
          <>
            <span className="inline-flex items-center gap-1 text-down">
              <CircleAlert size={12} aria-hidden /> {words.failed}
            </span>
            <Button size="small" onClick={onRetry}>
              {words.retry}
            </Button>
          </>
        )}
      </p>
    </li>
  );
}

/** A picture in a box of fixed height, so that the list does not move when it loads. A press opens it alone. */
function Picture({ src, words }: { src: string; words: ChatWords }) {
  const [failed, setFailed] = useState(false);
  if (failed) return <p className="grid h-40 place-items-center px-4 text-table text-t2">{words.pictureFailed}</p>;
  return (
    <a href={src} target="_blank" rel="noreferrer noopener" className="block h-40 max-w-full">
      <img src={src} alt={words.picture} onError={() => setFailed(true)} className="h-40 max-w-full object-contain" />
    </a>
  );
}
