import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PasskeyRequest } from '@bourse/contract';
import { Button } from '@bourse/ui';
import { ApiError } from '../core/api.js';
import { canUsePasskeys, signWithPasskey } from '../core/passkey.js';

/** Lets a passkey answer a challenge. Nothing where the browser has none. */
export function PasskeyButton({
  label,
  request,
  onAnswer,
  onRefused,
}: {
  label: string;
  request: () => PasskeyRequest | Promise<PasskeyRequest>;
  /** Sends the answer; the button stays locked until it is done. */
  onAnswer: (passkey: string) => Promise<void>;
  onRefused: (text: string, refusal?: ApiError) => void;
}) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  if (!canUsePasskeys()) return null;
  const press = async (): Promise<void> => {
    setBusy(true);
    try {
      const answer = await signWithPasskey(await request());
      if (answer === null) onRefused(t('account.passkeyCancelled'));
      else await onAnswer(answer);
    } catch (failure) {
      if (failure instanceof ApiError) onRefused(failure.message, failure);
      else onRefused(t('common.loadFailed'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button busy={busy} onClick={() => void press()}>
      {label}
    </Button>
  );
}
