import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatMessage } from '@bourse/ui';
import { ApiError } from '../../core/api.js';
import { knownServerNow } from '../../core/server-time.js';
import { toastError } from '@bourse/web';
import { uploadImage } from '../../core/upload.js';
import { fileProblem } from '../../parts/photo.js';
import { sendChatLine } from '../api/chat.js';

interface Sending {
  readonly message: ChatMessage;
  readonly file?: File;
}
let made = 0;

/** Messages on their way: seen at once, gone when the exchange has them, kept to be sent again when it has not. */
export function useOutbox(id: string) {
  const { t } = useTranslation();
  const [waiting, setWaiting] = useState<readonly Sending[]>([]);
  const gone = useRef(new AbortController());
  useEffect(() => {
    gone.current = new AbortController();
    const mine = gone.current;
    return () => mine.abort();
  }, []);
  const put = (sending: Sending): void =>
    setWaiting((all) => [...all.filter(({ message }) => message.id !== sending.message.id), sending]);
  const drop = ({ message }: Sending): void => {
    if (message.picture) URL.revokeObjectURL(message.picture);
    setWaiting((all) => all.filter((one) => one.message.id !== message.id));
  };
  const send = async (sending: Sending): Promise<void> => {
    put({ ...sending, message: { ...sending.message, state: 'sending' } });
    try {
      const { file, message } = sending;
      await sendChatLine(
        id,
        file
          ? { image: await uploadImage(file, 'chat', () => undefined, gone.current.signal) }
          : { text: message.text },
      );
      drop(sending);
    } catch (failure) {
      if (failure instanceof ApiError) toastError(failure.message);
      put({ ...sending, message: { ...sending.message, state: 'failed' } });
    }
  };
  const message = (more: { text: string; picture?: string }): ChatMessage => {
    made += 1;
    return { id: `own ${made}`, from: 'own', at: knownServerNow(), ...more };
  };
  return {
    messages: waiting.map((sending) => sending.message),
    text: (text: string): void => void send({ message: message({ text }) }),
    picture: (file: File): void => {
      const wrong = fileProblem(file);
      if (wrong) return toastError(t(wrong));
      void send({ message: message({ text: '', picture: URL.createObjectURL(file) }), file });
    },
    again: ({ id: of }: ChatMessage): void => {
      const failed = waiting.find((one) => one.message.id === of);
      if (failed) void send(failed);
    },
  };
}
