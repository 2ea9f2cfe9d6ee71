import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Deal } from '@bourse/contract';
import { Panel, Skeleton, Switch, type ChatMessage, type OlderMessages } from '@bourse/ui';
import { chimeKey } from '../../core/notifications/chime.js';
import { useKept } from '../../prefs/use-kept.js';
import { Chat } from '../../parts/chat.js';
import { Failed } from '../../parts/failed.js';
import { useChat, useChatPushes } from '../api/chat.js';
import { firstUnread, messageOf } from '../model/chat.js';
import { otherName } from '../model/deal.js';
import { ChatComposer } from './chat-composer.js';
import { useOutbox } from './use-outbox.js';

/** The conversation of a deal: texts and pictures, lines of the exchange, the mark above what was not read. */
export function DealChat({ deal, className }: { deal: Deal; className?: string }) {
  const { t } = useTranslation();
  const { query, lines } = useChat(deal.id, true);
  // How much was unread when the page was opened: reading the lines makes it none.
  const [unread] = useState(deal.unread);
  const [mark, setMark] = useState<string>();
  const [sound, setSound] = useKept(chimeKey, true);
  const outbox = useOutbox(deal.id);
  useChatPushes(deal.id);
  if (mark === undefined && lines) setMark(firstUnread(lines, deal.role, unread) ?? '');
  const messages: readonly ChatMessage[] = [
    ...(lines ?? []).map((line) => messageOf(line, deal.role)),
    ...outbox.messages,
  ];
  return (
    <Panel label={t('deals.chat')} className={className}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-3">
        <h2 className="text-title font-semibold">{t('deals.chat')}</h2>
        <Switch label={t('deals.sound')} checked={sound} onChange={setSound} />
      </div>
      {query.isError && !lines ? (
        <Failed retry={() => void query.refetch()} />
      ) : !lines ? (
        <Skeleton className="m-4 h-72" />
      ) : (
        <Chat
          partner={otherName(deal)}
          className="h-80 md:h-96"
          messages={messages}
          firstUnread={mark === '' ? undefined : mark}
          older={olderOf(query)}
          onOlder={() => void query.fetchNextPage()}
          onRetry={outbox.again}
        />
      )}
      <ChatComposer onText={outbox.text} onPicture={outbox.picture} />
    </Panel>
  );
}

const olderOf = (query: {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
}): OlderMessages =>
  query.isFetchingNextPage ? 'loading' : query.isFetchNextPageError ? 'failed' : query.hasNextPage ? 'more' : 'none';
