import { BadgeCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { Ad } from '@bourse/contract';
import { Badge, Button, Num, Table } from '@bourse/ui';
import { limitsOf, sideOf } from '../model/ad.js';
import { Coins, coinText, fiatText, figuresText, PayTime, WayName, type Figures } from './words.js';

/** Ads of a market, best price first; the button says what the visitor would do. */
export function AdTable({
  rows,
  empty,
  onTake,
  footer,
  seller,
}: {
  rows: readonly Ad[] | undefined;
  empty: ReactNode;
  onTake: (ad: Ad) => void;
  footer?: ReactNode;
  /** How the owner is named; without it by name and figures. */
  seller?: (ad: Ad) => ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Table
      label={t('deals.ads')}
      rows={rows}
      rowKey={(ad) => String(ad.id)}
      empty={empty}
      footer={footer}
      columns={[
        {
          id: 'seller',
          header: t('deals.owner'),
          card: 'title',
          className: 'py-2 card-whole',
          cell: (ad) => (seller ? seller(ad) : <AdOwner ad={ad} />),
        },
        {
          id: 'price',
          header: t('deals.price'),
          end: true,
          cell: (ad) => <Num className="text-title font-semibold">{fiatText(ad.price, ad.coin_code)}</Num>,
        },
        {
          id: 'left',
          header: t('deals.left'),
          end: true,
          cell: (ad) => <Coins amount={ad.surplus_number} coin={ad.currency_name} />,
        },
        { id: 'limits', header: t('deals.limitsName'), end: true, priority: 'wide', cell: (ad) => <Limits ad={ad} /> },
        { id: 'way', header: t('deals.way'), cell: (ad) => <WayName way={ad.way} /> },
        {
          id: 'time',
          header: t('deals.minutesName'),
          end: true,
          priority: 'wide',
          cell: (ad) => <PayTime minutes={ad.limit_minutes} />,
        },
        {
          id: 'act',
          header: <span className="sr-only">{t('deals.acts')}</span>,
          sticky: true,
          className: 'card-whole',
          end: true,
          cell: (ad) => <Take ad={ad} onTake={onTake} />,
        },
      ]}
    />
  );
}

/** The owner of an ad: name and recent record. The figures are counted from deals. */
export function AdOwner({ ad }: { ad: Pick<Ad, 'seller_name' | 'level'> & Figures }) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-col gap-0.5 text-start">
      <span className="flex flex-wrap items-center gap-2 font-medium">
        <bdi>{ad.seller_name}</bdi>
        {ad.level !== '' && (
          <Badge tone="accent">
            <BadgeCheck size={12} aria-hidden className="me-1" />
            {t(`deals.level.${ad.level}`)}
          </Badge>
        )}
      </span>
      <span className="text-label text-t2">{figuresText(t, ad)}</span>
    </span>
  );
}

function Limits({ ad }: { ad: Ad }) {
  const { min, max } = limitsOf(ad);
  return <Num>{`${coinText(min, '').trim()} – ${coinText(max, ad.currency_name)}`}</Num>;
}

function Take({ ad, onTake }: { ad: Ad; onTake: (ad: Ad) => void }) {
  const { t } = useTranslation();
  if (ad.is_mine === 1) return <Badge>{t('deals.yours')}</Badge>;
  const side = sideOf(ad);
  return (
    <Button kind={side} className="max-md:h-11 max-md:w-full" onClick={() => onTake(ad)}>
      {t(`deals.side.${side}`)}
      <span className="sr-only">
        {' '}
        {ad.currency_name}, {ad.seller_name}
      </span>
    </Button>
  );
}
