import { useTranslation } from 'react-i18next';
import type { Deal, Way } from '@bourse/contract';
import { cx, masked, Num, Panel } from '@bourse/ui';
import { CopyButton } from '../../parts/copy-button.js';
import { Note } from '../../parts/note.js';
import { otherParty, paymentCode, paymentLines, SURE, type Party } from '../model/deal.js';
import { SignedPicture } from './picture.js';
import { fiatText } from './words.js';

/** How the other party is paid, or pays: by the way of the deal alone. Nothing of it is shown once the deal is over. */
export function PaymentFacts({ deal }: { deal: Deal }) {
  const { t } = useTranslation();
  const other = otherParty(deal);
  const buys = deal.role === 'buyer';
  const pays = buys && deal.is_sure === SURE.waiting;
  // Whoever has paid must not be asked to pay again.
  const title = t(pays ? 'deals.payTo' : buys ? 'deals.other' : 'deals.paidFrom');
  return (
    <Panel label={title} className="flex flex-col gap-3 p-4">
      <h2 className="text-title font-semibold">{title}</h2>
      <PartyLines party={other} way={deal.way as Way} money={pays ? deal : undefined} />
      {pays && (
        <Note tone="warn">
          <p>{t('deals.payOwnName')}</p>
        </Note>
      )}
      {!buys && (
        <Note>
          <p>{t('deals.checkSender')}</p>
        </Note>
      )}
    </Panel>
  );
}

/** Lines with a button each that copies them, and the picture with the code to pay by. */
function PartyLines({
  party,
  way,
  money,
}: {
  party: Party;
  way: Way;
  money: Pick<Deal, 'deal_money' | 'coin_code'> | undefined;
}) {
  const { t } = useTranslation();
  const { payment } = party;
  const code = payment ? paymentCode(payment, way) : '';
  const lines = payment ? paymentLines(payment, way) : [];
  const named = lines.some(({ id }) => id === 'real_name');
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-4">
      <dl className="flex min-w-0 flex-1 basis-64 flex-col gap-2">
        {money && (
          <Line name={t('deals.money')} copy={money.deal_money} strong>
            {fiatText(money.deal_money, money.coin_code)}
          </Line>
        )}
        <Line name={t('deals.way')}>{t(`deals.way.${way}`)}</Line>
        {!named && party.name !== '' && (
          <Line name={t('deals.pay.real_name')} copy={party.name}>
            {party.name}
          </Line>
        )}
        {lines.map(({ id, text }) => (
          <Line key={id} name={t(`deals.pay.${id}`)} copy={text}>
            {text}
          </Line>
        ))}
        {party.phone !== '' && (
          <Line name={t('deals.phone')} copy={party.phone}>
            {masked(party.phone)}
          </Line>
        )}
      </dl>
      {code !== '' && (
        <SignedPicture
          src={code}
          alt={t('deals.payCode', { way: t(`deals.way.${way}`) })}
          className="size-44 bg-white"
        />
      )}
    </div>
  );
}

/** One line: name, what it says, and a button that copies it. */
function Line({
  name,
  copy,
  strong = false,
  children,
}: {
  name: string;
  copy?: string;
  strong?: boolean;
  children: string;
}) {
  return (
    <div className="border-b border-line pb-2 last:border-b-0">
      <dt className="text-label text-t2">{name}</dt>
      <dd className="flex min-h-7 items-center justify-between gap-3">
        <Num className={cx('min-w-0 break-words', strong ? 'text-title font-semibold' : 'text-body')}>{children}</Num>
        {copy !== undefined && <CopyButton text={copy} what={name} />}
      </dd>
    </div>
  );
}
