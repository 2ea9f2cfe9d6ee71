import { useState } from 'react';
import type { ChatMessage, OlderMessages } from '@bourse/ui';
import { Chat } from '../../parts/chat.js';
import { Group, type Part } from './group.js';
import type { Words } from './words.js';

const START = Date.UTC(2026, 10, 21, 22, 58);
const MINUTE_MS = 60_000;
const PICTURE =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="160">' +
      '<rect width="240" height="160" fill="#5e6b82"/></svg>',
  );

const talk = (words: Words): readonly ChatMessage[] => [
  { id: '1', from: 'system', text: words.hint, at: START },
  { id: '2', from: 'other', text: words.first, at: START + 20 * MINUTE_MS },
  { id: '3', from: 'other', text: words.hint, at: START + 21 * MINUTE_MS },
  { id: '4', from: 'own', text: `${words.second}\n${words.hint}`, at: START + 70 * MINUTE_MS },
  { id: '5', from: 'other', text: words.hint, picture: PICTURE, at: START + 80 * MINUTE_MS },
  { id: '6', from: 'own', text: '', picture: 'data:image/png,none', at: START + 81 * MINUTE_MS },
  { id: '7', from: 'own', text: words.first, at: START + 90 * MINUTE_MS, state: 'failed' },
  { id: '8', from: 'own', text: words.hint, at: START + 91 * MINUTE_MS, state: 'sending' },
];

/** Earlier messages come at once, five each time, until there are fifteen. */
function Growing({ words }: Part) {
  const [messages, setMessages] = useState(() => talk(words));
  const [older, setOlder] = useState<OlderMessages>('more');
  const sent = messages.filter(({ id }) => id.startsWith('before')).length;
  return (
    <div className="max-w-full">
      <Chat
        partner={words.other}
        className="h-80 w-80 max-w-full rounded-panel border border-line"
        messages={messages}
        older={older}
        onRetry={({ id }) =>
          setMessages(messages.map((message) => (message.id === id ? { ...message, state: 'sending' } : message)))
        }
        onOlder={() => {
          const before = Array.from({ length: 5 }, (_, at): ChatMessage => ({
            id: `before ${sent + 5 - at}`,
            from: at % 2 === 0 ? 'own' : 'other',
            text: `${words.first} ${sent + 5 - at}`,
            at: START - (sent + 5 - at) * MINUTE_MS,
          }));
          setMessages([...before, ...messages]);
          if (sent + 5 >= 15) setOlder('none');
        }}
      />
    </div>
  );
}

/** A conversation in each of its states. */
export function Chats({ words }: Part) {
  const still = { onOlder: () => undefined, onRetry: () => undefined };
  const look = 'h-80 w-80 max-w-full rounded-panel border border-line';
  return (
    <Group id="chats" title={words.chats}>
      <Growing words={words} />
      <Chat partner={words.first} className={look} messages={talk(words).slice(0, 5)} firstUnread="4" {...still} />
      <Chat partner={words.second} className={look} messages={talk(words).slice(5)} older="loading" {...still} />
      <Chat
        partner={words.third}
        className={look}
        messages={[0, 2, 3].flatMap((at) => talk(words).slice(at, at + 1))}
        older="failed"
        {...still}
      />
      <Chat partner={words.nothing} className={look} messages={[]} {...still} />
    </Group>
  );
}
