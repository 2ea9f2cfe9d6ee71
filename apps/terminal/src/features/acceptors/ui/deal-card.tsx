import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AcceptorDeal } from '@bourse/contract';
import { Badge, Num, timeOf, type Tone } from '@bourse/ui';
import { ComplainLink } from '../../../parts/complain-link.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { countdown } from '../../../parts/countdown.js';
import { Time } from '../../../parts/time.js';
import { isObjected, nextKey, runs, stateKey, type Side } from '../model/acceptors.js';
import { cashText, coinText, inLine, nameInLine } from '../model/figures.js';
import { Code } from './pay-facts.js';
import { WAY_TEXT } from './words.js';

/** One deal: what is given and received, whose turn it is and by when, who pays where, and what can be done. */
export function DealCard({
  deal,
  side,
  now,
  children,
}: {
  deal: AcceptorDeal;
  side: Side;
  /** The exchange's time in milliseconds. */
  now: number;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const buys = deal.type === 'buy';
  const figures = {
    given: buys ? cashText(deal.money) : coinText(deal.money),
    taken: buys ? coinText(deal.receive_money) : cashText(deal.receive_money),
  };
  const next = nextKey(deal, side);
  return (
    <li className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-button font-medium">
          {t(buys ? 'wallet.causes.deposit' : 'wallet.causes.withdrawal')}
          <span className="text-body">
            {t(buys ? 'acc.payFiat' : 'acc.giveCoins')} <Num>{figures.given}</Num>
            <span aria-hidden className="mx-1 inline-block rtl:-scale-x-100">
              →
            </span>
            {t(buys ? 'acc.getCoins' : 'acc.getFiat')} <Num>{figures.taken}</Num>
          </span>
        </h3>
        <State deal={deal} />
      </div>
      {next !== undefined && (
        <p className="text-body">
          {t(next, {
            name: nameInLine(deal.acceptor_name),
            fiat: inLine(buys ? figures.given : figures.taken),
            coins: inLine(buys ? figures.taken : figures.given),
          })}{' '}
          <Left deal={deal} now={now} />
        </p>
      )}
      {deal.reason !== '' && (
        <p className="text-body text-warn">
          {t('acc.reason')}: <bdi>{deal.reason}</bdi>
        </p>
      )}
      <Details deal={deal} side={side} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {children}
        <ComplainLink kind={buys ? 'deposit' : 'withdrawal'} about={deal.id} />
      </div>
    </li>
  );
}

const TONES: Readonly<Record<AcceptorDeal['is_sure'], Tone>> = { 0: 'info', 1: 'up', 2: 'plain' };

const State = ({ deal }: { deal: AcceptorDeal }) => {
  const { t } = useTranslation();
  return <Badge tone={isObjected(deal) ? 'warn' : TONES[deal.is_sure]}>{t(stateKey(deal))}</Badge>;
};

function Left({ deal, now }: { deal: AcceptorDeal; now: number }) {
  const { t } = useTranslation();
  const at = timeOf(deal.auto_time);
  if (!runs(deal) || at === undefined) return null;
  return (
    <span role="timer" aria-live="off" className="font-medium text-warn">
      {t('acc.left', { time: inLine(countdown(at - now)) })}
    </span>
  );
}

/** The accounts of a deal; the one to pay with its picture while the payment is open. */
function Details({ deal, side }: { deal: AcceptorDeal; side: Side }) {
  const { t } = useTranslation();
  const buys = deal.type === 'buy';
  const payNow = deal.is_sure === 0 && deal.stage === 0 && buys === (side === 'user');
  const payee = buys ? deal.hes_account : deal.deal_account;
  const accounts = [
    ...(side === 'user' ? [{ name: 'acc.acceptorAccount', text: deal.hes_account }] : []),
    { name: side === 'user' ? 'acc.yourAccount' : 'acc.customerAccount', text: deal.deal_account },
    { name: 'acc.mobile', text: deal.mobile },
  ].filter(({ text }) => text !== '');
  return (
    <div className="flex flex-wrap gap-4">
      {payNow && payee !== '' && <Code text={payee} title={t('acc.qr', { way: t(WAY_TEXT[deal.way]) })} />}
      <dl className="grid min-w-0 flex-1 gap-x-6 gap-y-2 text-table md:grid-cols-2 xl:grid-cols-3">
        <Detail name={t('acc.name')}>
          <bdi>{deal.acceptor_name}</bdi>
        </Detail>
        <Detail name={t('acc.way')}>{t(WAY_TEXT[deal.way])}</Detail>
        {accounts.map(({ name, text }) => (
          <Detail key={name} name={t(name)}>
            <Num className="break-all">{text}</Num>
            {deal.is_sure === 0 && <CopyButton text={text} what={t(name)} />}
          </Detail>
        ))}
        <Detail name={t('wallet.time')}>
          <Time>{deal.create_time}</Time>
        </Detail>
        {deal.proof_pic !== '' && (
          <Detail name={t('acc.proof')}>
            <a href={deal.proof_pic} target="_blank" rel="noreferrer" aria-label={t('acc.proofOpens')}>
              <img
                src={deal.proof_pic}
                alt=""
                className="h-24 w-36 rounded-panel border border-line-strong object-cover"
              />
            </a>
          </Detail>
        )}
      </dl>
    </div>
  );
}

const Detail = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-t2">{name}</dt>
    <dd className="flex flex-wrap items-center gap-2 text-body">{children}</dd>
  </div>
);
