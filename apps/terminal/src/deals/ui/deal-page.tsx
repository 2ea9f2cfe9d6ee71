import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Deal } from '@bourse/contract';
import { cx, DescriptionList, Empty, Num, Panel, Skeleton } from '@bourse/ui';
import { isRefusal } from '@bourse/web';
import { ComplainLink } from '../../parts/complain-link.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Failed } from '../../parts/failed.js';
import { LinkButton } from '../../parts/link-button.js';
import { Time } from '../../parts/time.js';
import { useDeal, useDealPushes } from '../api/deals.js';
import { APPEAL, isOver, otherName } from '../model/deal.js';
import { AppealPanel } from './appeal-panel.js';
import { DealActions } from './deal-actions.js';
import { DealChat } from './deal-chat.js';
import { DealTurn } from './deal-turn.js';
import { PaymentFacts } from './payment-facts.js';
import { SignedPicture } from './picture.js';
import { apart, Coins, coinText, Fiat, figuresText, WayName } from './words.js';

/** On a phone what is to be done stays within reach of the thumb, above the navigation. */
const STICKY =
  'max-lg:order-4 sticky bottom-13 z-10 -mx-4 border-t border-line bg-bg0 p-3 ' +
  'md:bottom-0 lg:static lg:mx-0 lg:border-0 lg:bg-transparent lg:p-0';

/** One deal, of C2C or of a shop: everything that its two sides need to bring it to its end. */
export function DealPage({ id, back }: { id: string; back: string }) {
  const { t } = useTranslation();
  const { deal, error, retry } = useDeal(id);
  useDealPushes();
  if (id === '' || isRefusal(error))
    return (
      <Empty
        action={
          <LinkButton to={back} size="small">
            {t('deals.orders')}
          </LinkButton>
        }
      >
        {isRefusal(error) ? error.message : t('deals.none')}
      </Empty>
    );
  if (error) return <Failed retry={retry} />;
  if (!deal)
    return (
      <div className="flex flex-col gap-4">
        <Skeleton className="h-40 w-full" />
        <Skeleton className="h-96 w-full" />
      </div>
    );
  return <Shown key={deal.id} deal={deal} back={back} />;
}

function Shown({ deal, back }: { deal: Deal; back: string }) {
  const { t } = useTranslation();
  const title = t(`deals.title.${deal.role}`, {
    coins: apart(coinText(deal.number, deal.currency_name)),
    name: apart(otherName(deal)),
  });
  const appeals = deal.can.includes('appeal') || deal.appeal !== APPEAL.none || isOver(deal);
  const acts = deal.can.some((act) => act === 'pay' || act === 'confirm' || act === 'cancel');
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Link to={back} className="text-table text-t2 underline hover:text-t1">
          {t('deals.orders')}
        </Link>
        <h1 className="text-last font-semibold">{title}</h1>
        <ComplainLink kind="c2c" about={deal.id} />
      </div>
      <DealTurn deal={deal} />
      {/* Two columns where there is room; on a phone one, in the order of need, acts under the thumb. */}
      <div className="flex flex-col gap-4 lg:grid lg:grid-cols-2 lg:items-start">
        <div className="contents min-w-0 flex-col gap-4 lg:flex">
          {!isOver(deal) && <PaymentFacts deal={deal} />}
          {acts && (
            <div className={STICKY}>
              <DealActions deal={deal} />
            </div>
          )}
          <Facts deal={deal} className="max-lg:order-3" />
        </div>
        <div className="contents min-w-0 flex-col gap-4 lg:flex">
          <DealChat deal={deal} className="max-lg:order-1" />
          {appeals && <AppealPanel deal={deal} className="max-lg:order-2" />}
        </div>
      </div>
    </div>
  );
}

/** The terms of the deal. */
function Facts({ deal, className }: { deal: Deal; className: string }) {
  const { t } = useTranslation();
  const fact = (id: string, name: string, value: React.ReactNode) => ({ id, name, value });
  return (
    <Panel label={t('deals.facts')} className={cx('flex flex-col gap-3 p-4', className)}>
      <h2 className="text-title font-semibold">{t('deals.facts')}</h2>
      <DescriptionList
        facts={[
          fact('number', t('deals.quantity'), <Coins amount={deal.number} coin={deal.currency_name} />),
          fact('price', t('deals.price'), <Fiat amount={deal.price} coin={deal.coin_code} />),
          fact('money', t('deals.money'), <Fiat amount={deal.deal_money} coin={deal.coin_code} />),
          fact('way', t('deals.way'), <WayName way={deal.way} />),
          ...(deal.role === 'seller'
            ? [fact('fee', t('deals.feeName'), <Coins amount={deal.out_fee} coin={deal.currency_name} />)]
            : []),
          fact('other', t('deals.other'), <bdi>{otherName(deal)}</bdi>),
          ...(deal.partner ? [fact('figures', t('deals.figures'), figuresText(t, deal.partner))] : []),
          fact('time', t('deals.time'), <Time>{deal.format_create_time}</Time>),
          fact(
            'id',
            t('deals.id'),
            <span className="inline-flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
              <Num className="min-w-0 break-all">{deal.id}</Num>
              <CopyButton text={deal.id} what={t('deals.id')} />
            </span>,
          ),
        ]}
      />
      {deal.proof !== '' && (
        <div className="flex flex-col gap-1">
          <h3 className="text-table text-t2">{t('deals.proof')}</h3>
          <SignedPicture src={deal.proof} alt={t('deals.proof')} className="h-40" />
        </div>
      )}
    </Panel>
  );
}
