import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, OneTimeCodeField } from '@bourse/ui';
import { ApiError, api } from '../core/api.js';
import { toastDone } from '@bourse/web';
import { sendCode, type CodeScene } from './codes.js';
import { useSecondsLeft } from '../parts/use-now.js';

export interface CodeFieldProps {
  scene: CodeScene;
  account: string;
  areaCode: string;
  value: string;
  onChange: (code: string) => void;
  error: string | undefined;
  autoFocus?: boolean;
  /** The account is still being read, so that no code can be sent yet. */
  waiting?: boolean;
  /** Called before a code is asked for; false keeps it from being sent (the account is not filled in). */
  ready?: () => boolean;
  onRefused: (message: string) => void;
}

/**
 * A verification code with its send button, which rests until the server takes another request and counts down in text.
 */
export function CodeField({
  scene,
  account,
  areaCode,
  value,
  onChange,
  error,
  ready,
  onRefused,
  autoFocus,
  waiting = false,
}: CodeFieldProps) {
  const { t } = useTranslation();
  const [restUntil, setRestUntil] = useState(0);
  const [busy, setBusy] = useState(false);
  const left = useSecondsLeft(restUntil);
  const send = async (): Promise<void> => {
    if (ready?.() === false) return;
    setBusy(true);
    try {
      const seconds = await sendCode(api, account, scene, areaCode);
      setRestUntil(Date.now() + seconds * 1_000);
      toastDone(t('account.codeSent'));
    } catch (failure) {
      if (failure instanceof ApiError && failure.key === 'code.tooSoon')
        setRestUntil(Date.now() + Number(failure.params['seconds'] ?? 60) * 1_000);
      onRefused(failure instanceof ApiError ? failure.message : t('common.loadFailed'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <OneTimeCodeField
      label={t('account.code')}
      name="code"
      autoFocus={autoFocus}
      value={value}
      length={16}
      error={error}
      onCode={onChange}
      suffix={
        <Button kind="quiet" size="small" busy={busy} disabled={waiting || left > 0} onClick={() => void send()}>
          {left > 0 ? t('account.resendIn', { seconds: left }) : t('account.sendCode')}
        </Button>
      }
    />
  );
}
