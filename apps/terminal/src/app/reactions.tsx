import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { reactionTo } from '@bourse/api-client';
import { onRefusal } from '../core/api.js';
import { onSessionClosed } from '../core/feed.js';
import { forgetSession, useSession } from '../core/session.js';
import { toastError, toastQuestion } from '@bourse/web';
import { wayBackTo } from '../core/way-back.js';

/** Questions come after the message had a moment to be read (rules §16). */
const QUESTION_DELAY_MS = 1_000;

/** Reacts to refusals (api §1.4): one place for every code, whichever screen made the call. */
export function Reactions() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const location = useLocation();
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
      // A call that shows its refusals itself still says what must be done first: no screen can go on without it.
      if (quiet && reaction === 'toast') return;
      toastError(error.message);
      const go = (address: string): void => {
        if (location.pathname !== address) void navigate(address, { state: wayBackTo(location) });
      };
      if (reaction === 'askFundPassword') {
        setTimeout(
          () =>
            toastQuestion(t('fund.askSet'), { label: t('common.yes'), onClick: () => go('/bindmpwd') }, t('common.no')),
          QUESTION_DELAY_MS,
        );
      }
      if (reaction === 'paymentSettings') go('/userSetting');
      if (reaction === 'identity') go('/authentication');
    });
  }, [navigate, location, t]);
  return null;
}
