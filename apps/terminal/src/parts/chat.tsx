import { useTranslation } from 'react-i18next';
import { ChatLog, type ChatMessage, type OlderMessages } from '@bourse/ui';

/** A conversation with the other side of a deal. A screen that shows it loads the texts of the area `chat`. */
export function Chat({
  partner,
  ...log
}: {
  /** Name of the other side. */
  partner: string;
  messages: readonly ChatMessage[];
  firstUnread?: string | undefined;
  older?: OlderMessages;
  onOlder: () => void;
  onRetry: (message: ChatMessage) => void;
  className?: string;
}) {
  const { t } = useTranslation();
  return (
    <ChatLog
      {...log}
      words={{
        log: t('chat.log', { name: `\u2068${partner}\u2069` }),
        empty: t('chat.empty'),
        older: t('chat.older'),
        loadingOlder: t('chat.loadingOlder'),
        olderFailed: t('chat.olderFailed'),
        unread: t('chat.unread'),
        toNewest: t('chat.toNewest'),
        you: t('chat.you'),
        other: partner,
        exchange: t('chat.exchange'),
        sending: t('chat.sending'),
        failed: t('chat.failed'),
        retry: t('common.retry'),
        picture: t('chat.picture'),
        pictureFailed: t('chat.pictureFailed'),
      }}
    />
  );
}
