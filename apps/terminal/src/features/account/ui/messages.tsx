import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Empty, Panel } from '@bourse/ui';
import { PageTitle } from './parts.js';

/**
 * The message centre is empty as the specification has it; what the exchange has to say to everybody stands among the
 * notices.
 */
export default function Messages() {
  const { t } = useTranslation();
  return (
    <>
      <PageTitle>{t('nav.messages')}</PageTitle>
      <Panel>
        <Empty
          action={
            <Link to="/noticeList" className="underline hover:text-t1">
              {t('notice.all')}
            </Link>
          }
        >
          {t('messages.empty')}
        </Empty>
      </Panel>
    </>
  );
}
