import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { SpotOrder } from '@bourse/contract';
import { Dialog } from '@bourse/ui';
import { useQuotations } from '../core/market.js';
import { CancelAllQuestion } from '../features/spot/ui/cancel-all-question.js';
import { OrderDetail } from '../features/spot/ui/lazy-order-detail.js';
import { LineQuestion } from '../features/spot/ui/line-question.js';
import { useCancel } from '../features/spot/ui/use-cancel.js';
import { useFoundOrders } from '../features/spot/ui/use-found-orders.js';
import { MarketList } from '../market/pair/market-list.js';
import { chooseOnDesk } from '../market/pair/searched-pair.js';
import { usePairScales } from '../market/pair/scales.js';
import { spotAddress } from '../paths.js';
import { useKept } from '../prefs/use-kept.js';
import { useFoundActions } from './use-found-actions.js';
import { useFoundPages } from './use-found-pages.js';

/** Decimals of a pair that is not listed. */
const UNLISTED = { price_scale: 8, number_scale: 8 };
type Asked =
  | { readonly about: 'details' | 'cancel'; readonly order: SpotOrder }
  | { readonly about: 'cancelAll'; readonly order?: never };

/**
 * Finds pairs, which open on the desk that is shown or else in spot, own open orders, the pages of the menus, and
 * actions. A cancel is asked first, unless the person skips that question.
 */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { groups, failed } = useQuotations();
  const scales = usePairScales(groups ?? []);
  const [asked, setAsked] = useState<Asked>();
  const [skip] = useKept('ticket.skipConfirm', false);
  const cancel = useCancel();
  const closeAndCancel = (order: SpotOrder): void => {
    onClose();
    cancel(order);
  };
  const go = (address: string): void => {
    onClose();
    void navigate(address);
  };
  const orders = useFoundOrders({
    scales,
    onOpen: (order) => setAsked({ about: 'details', order }),
    onCancel: (order) => (skip ? closeAndCancel(order) : setAsked({ about: 'cancel', order })),
  });
  const pages = useFoundPages(go);
  const actions = useFoundActions(onClose, { onCancelAll: () => setAsked({ about: 'cancelAll' }) });
  if (asked?.about === 'cancelAll') return <CancelAllQuestion onClose={onClose} />;
  if (asked?.about === 'cancel')
    return (
      <LineQuestion
        asked={asked}
        pair={{ ...asked.order, ...(scales(asked.order.symbol) ?? UNLISTED) }}
        lastPrice=""
        onClose={onClose}
        onConfirm={() => closeAndCancel(asked.order)}
      />
    );
  if (asked)
    return (
      <Suspense>
        <OrderDetail opened={{ id: asked.order.id, known: asked.order }} {...{ scales, onClose }} onCancel={cancel} />
      </Suspense>
    );
  return (
    <Dialog open onClose={onClose} title={t('common.search')} closeLabel={t('common.close')}>
      <div className="flex h-[60dvh] flex-col">
        <MarketList
          autoFocus
          groups={groups ?? (failed ? [] : undefined)}
          chosen=""
          label={t('market.searchAll')}
          also={[orders, pages, actions]}
          onChoose={(item) => (chooseOnDesk(item) ? onClose() : go(spotAddress(item)))}
        />
      </div>
    </Dialog>
  );
}
