import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Tabs } from '@bourse/ui';
import { queryClient } from '../../../core/api.js';
import { feed } from '../../../core/feed.js';
import { useSession } from '../../../core/session.js';
import { KEYS } from '../api/acceptors.js';
import { AcceptorList } from './acceptor-list.js';
import { Desk } from './desk.js';
import { MyDeals } from './my-deals.js';

type View = 'list' | 'mine' | 'desk';

/** Acceptors (api §5): who takes and pays fiat, one's deals with them and, for an acceptor, the desk. */
export default function Acceptors() {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const isAcceptor = useSession((session) => session.info?.is_acceptor === 1);
  const asked = query.get('tab');
  const view: View = asked === 'mine' || (asked === 'desk' && isAcceptor) ? asked : 'list';
  const show = (next: View): void => setQuery(next === 'list' ? {} : { tab: next }, { replace: true });
  // Each step of a deal moves money of both sides: a push of balances is the sign to read again.
  useEffect(() => feed.on('balance_update', () => void queryClient.invalidateQueries({ queryKey: KEYS.all })), []);
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h1 className="text-last font-semibold">{t('nav.acceptors')}</h1>
        <p className="mt-1 max-w-prose text-t2">{t('acc.lead')}</p>
      </div>
      <Tabs<View>
        label={t('nav.acceptors')}
        value={view}
        onChange={show}
        panelClassName="flex flex-col gap-4 outline-none"
        tabs={[
          { id: 'list', label: t('nav.acceptors') },
          { id: 'mine', label: t('acc.mine') },
          ...(isAcceptor ? [{ id: 'desk' as const, label: t('acc.desk') }] : []),
        ]}
      >
        {view === 'list' ? <AcceptorList onTaken={() => show('mine')} /> : view === 'mine' ? <MyDeals /> : <Desk />}
      </Tabs>
    </div>
  );
}
