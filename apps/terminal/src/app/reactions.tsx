import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { reactionTo } from '@bourse/api-client';
import { onRefusal } from '../core/api.js';
import { onSessionClosed } from '../core/feed.js';
import { forgetSession, useSession } from '../core/session.js';
import { toastError, toastQuestion } from '../core/toasts.js';
import { hasScreen } from '../routes.js';

/** Questions come after the message had a moment to be read (rules §16). */
const ASK_AFTER_MS = 1_000;

/** What the page does about refusals (document 1 §8): one place for every code, whichever screen made the call. */
export function Reactions() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  useEffect(() => {
    const endSession = (): void => {
      const { token, leaving } = useSession.getState();
      if (token === null || leaving) return;
      forgetSession();
      toastError(t('session.expired'));
      void navigate('/components/login?type=1');
    };
    onSessionClosed(endSession);
    onRefusal((error, quiet) => {
      const reaction = reactionTo(error);
      if (reaction === 'signOut') return endSession();
      if (quiet) return;
      toastError(error.message);
      if (reaction === 'askFundPassword') {
        setTimeout(() => toastQuestion(t('fund.askSet'), { label: t('common.yes'), onClick: () => void navigate('/bindmpwd') }, t('common.no')), ASK_AFTER_MS);
      }
      // A screen that this installation does not have is not gone to: the message says what is missing.
      if (reaction === 'paymentSettings' && hasScreen('/userSetting')) void navigate('/userSetting');
      if (reaction === 'identity') void navigate('/authentication');
    });
  }, [navigate, t]);
  return null;
}
