import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Shop } from '@bourse/contract';
import { atMost, Badge, Button, grouped, Panel, Stat, type Tone } from '@bourse/ui';
import { figuresText } from '../../../deals/ui/words.js';
import { DEPOSIT_COIN } from '../model/shops.js';
import { CloseDialog } from './close-dialog.js';
import { MoveDialog } from './move-dialog.js';

const TONES: Readonly<Record<Shop['status'], Tone>> = { 0: 'info', 1: 'up', 2: 'down', 3: 'info' };

/** Name, state and level of a shop, its money, and what it has done. */
export function ShopHead({ shop }: { shop: Shop }) {
  const { t } = useTranslation();
  const [moving, setMoving] = useState<'in' | 'out'>();
  const [isClosing, setClosing] = useState(false);
  const amount = (text: string): string => grouped(atMost(text, 8));
  return (
    <Panel label={shop.name}>
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="text-title font-semibold">
            <bdi>{shop.name}</bdi>
          </h2>
          <Badge tone={TONES[shop.status]}>{t(`shops.status.${shop.status}`)}</Badge>
          <Badge tone="accent">{t(`deals.level.${shop.level}`)}</Badge>
        </div>
        {shop.status === 1 && (
          <div className="flex flex-wrap gap-2">
            <Button size="small" onClick={() => setMoving('in')}>
              {t('shops.moveIn')}
            </Button>
            <Button size="small" onClick={() => setMoving('out')}>
              {t('shops.moveOut')}
            </Button>
            <Button size="small" kind="quiet" onClick={() => setClosing(true)}>
              {t('shops.close')}
            </Button>
          </div>
        )}
      </div>
      {shop.status !== 1 && <p className="px-4 pb-3 text-t2">{t(`shops.statusText.${shop.status}`)}</p>}
      <div className="grid grid-cols-2 gap-4 border-t border-line p-4 lg:grid-cols-4">
        <Stat label={t('shops.merchant')} value={amount(shop.merchant_balance)} unit={shop.currency_name} />
        <Stat label={t('shops.held')} value={amount(shop.lock_merchant_balance)} unit={shop.currency_name} />
        <Stat label={t('shops.deposit')} value={amount(shop.deposit)} unit={DEPOSIT_COIN} />
        <Stat label={t('shops.adsOpen')} value={String(shop.ads)} hint={figuresText(t, shop)} />
      </div>
      {isClosing && <CloseDialog shop={shop} onClose={() => setClosing(false)} />}
      {moving && <MoveDialog shop={shop} direction={moving} onClose={() => setMoving(undefined)} />}
    </Panel>
  );
}
