import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { WAYS, type Acceptor } from '@bourse/contract';
import { Button, Field, Form, Num, Panel, RadioGroup, Skeleton, Tabs } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { toastDone } from '@bourse/web';
import { useWallet } from '../../../core/wallet.js';
import { FormError } from '../../../forms/form-card.js';
import { useIntentForm } from '../../../forms/use-form.js';
import { Failed } from '../../../parts/failed.js';
import { Figure } from '../../../parts/figure.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { Note } from '../../../parts/note.js';
import { NumberField } from '../../../parts/number-field.js';
import { acceptorInfo, KEYS, order, readAgain } from '../api/acceptors.js';
import {
  CASH_SCALE,
  DEAL_TYPES,
  dealProblems,
  maxMoney,
  moneyToSend,
  NO_FIELDS,
  rateOf,
  receiveOf,
  type DealFields,
  type DealType,
} from '../model/acceptors.js';
import { cashText, coinText, inLine, nameInLine } from '../model/figures.js';
import { PayFacts } from './pay-facts.js';
import { WAY_TEXT } from './words.js';

interface DealPanelProps {
  acceptor: Acceptor;
  type: DealType;
  onType: (type: DealType) => void;
  onBack: () => void;
  onTaken: () => void;
}

/** An order with one acceptor: a deposit or a withdrawal, with what comes of it before it is sent. */
export function DealPanel({ acceptor, type, onType, onBack, onTaken }: DealPanelProps) {
  const { t } = useTranslation();
  return (
    <Panel label={t('acc.withName', { name: nameInLine(acceptor.name) })}>
      <div className="flex flex-wrap items-center gap-3 px-3 py-3">
        <Button size="small" kind="quiet" onClick={onBack}>
          <ArrowLeft size={14} aria-hidden className="rtl:-scale-x-100" />
          {t('common.back')}
        </Button>
        <h2 className="text-title font-semibold">{t('acc.withName', { name: nameInLine(acceptor.name) })}</h2>
      </div>
      <Tabs<DealType>
        label={t('acc.order')}
        value={type}
        onChange={onType}
        panelClassName="p-4 outline-none"
        tabs={DEAL_TYPES.map((id) => ({ id, label: t(id === 'buy' ? 'wallet.deposit' : 'wallet.withdraw') }))}
      >
        <DealForm acceptor={acceptor} type={type} onTaken={onTaken} />
      </Tabs>
    </Panel>
  );
}

/** Texts and figures of an order that depend on its direction. */
const WORDS = {
  buy: { account: 'acc.payFrom', give: 'acc.payFiat', get: 'acc.getCoins', send: 'acc.sendDeposit', receive: coinText },
  sell: {
    account: 'acc.payTo',
    give: 'acc.giveCoins',
    get: 'acc.getFiat',
    send: 'acc.sendWithdraw',
    receive: cashText,
  },
} as const;

function useDealForm(acceptor: Acceptor, type: DealType, onTaken: () => void) {
  const [typed, setTyped] = useState(NO_FIELDS);
  const { wallet } = useWallet();
  const balance = wallet?.legal_wallet.balance.find(({ currency_name: name }) => name === 'USDT')?.legal_balance;
  const fields: DealFields = { ...typed, type };
  const quota = maxMoney(acceptor, type);
  const problems = dealProblems(fields, { quota, balance });
  const { password, ...rest } = fields;
  const sent = { ...rest, money: moneyToSend(fields.money) };
  const receive = receiveOf(type, sent.money || '0', rateOf(acceptor, type));
  // An order that got no answer stays the same order when the rate changes.
  const send = async (asked: typeof sent, intent: string, receives: string): Promise<'stay'> => {
    const { message } = await order(api, acceptor.id, { ...asked, password }, receives, intent).catch(
      async (error: unknown) => {
        // The rates may have changed: the form shows the current figures before the refusal appears.
        await readAgain();
        throw error;
      },
    );
    toastDone(message);
    await readAgain();
    onTaken();
    return 'stay';
  };
  const form = useIntentForm(problems, sent, send, receive);
  const change = (part: Partial<typeof NO_FIELDS>): void => setTyped((before) => ({ ...before, ...part }));
  return { fields, change, problems, form, quota, balance };
}

function DealForm({ acceptor, type, onTaken }: Pick<DealPanelProps, 'acceptor' | 'type' | 'onTaken'>) {
  const { t } = useTranslation();
  const { fields, change, problems, form, quota, balance } = useDealForm(acceptor, type, onTaken);
  const words = WORDS[type];
  const rate = rateOf(acceptor, type);
  const money = moneyToSend(fields.money);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void form.submit();
  };
  const moneyError =
    form.shown(problems.money) &&
    t(problems.money ?? '', {
      max: inLine(problems.money === 'acc.balance' ? coinText(balance ?? '0') : cashText(quota)),
    });
  const wayError = form.shown(problems.way);
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Form aria-label={t('acc.order')} onSubmit={submit} className="flex min-w-0 flex-col gap-3">
        <Field
          label={t('acc.mobile')}
          name="mobile"
          type="tel"
          dir="ltr"
          maxLength={20}
          value={fields.mobile}
          error={form.shown(problems.mobile)}
          onChange={(event) => change({ mobile: event.target.value })}
        />
        <Field
          label={t(words.account)}
          name="deal_account"
          mono
          maxLength={64}
          value={fields.account}
          error={form.shown(problems.account)}
          onChange={(event) => change({ account: event.target.value })}
        />
        <NumberField
          label={t(words.give)}
          name="money"
          scale={CASH_SCALE}
          value={fields.money}
          error={moneyError}
          hint={
            <>
              {t('acc.atMost', { max: inLine(cashText(quota)) })}
              {type === 'sell' && balance !== undefined && (
                <>
                  {' · '}
                  {t('wallet.available')} <Num>{coinText(balance)} USDT</Num>
                </>
              )}
            </>
          }
          onTyped={(text) => change({ money: text })}
        />
        <dl className="flex flex-col gap-1">
          <Figure name={t('acc.rate')}>
            <Num>{rate} %</Num>
          </Figure>
          <Figure name={t(words.get)}>
            <output aria-live="polite" className="text-title font-semibold">
              <Num>{words.receive(receiveOf(type, money || '0', rate))}</Num>
            </output>
          </Figure>
        </dl>
        <RadioGroup
          label={t('acc.way')}
          value={fields.way || undefined}
          choices={WAYS.map((value) => ({ value, label: t(WAY_TEXT[value]) }))}
          onChange={(way) => change({ way })}
        />
        {wayError && (
          <p role="alert" className="text-table text-down">
            {wayError}
          </p>
        )}
        {type === 'sell' && (
          <FundPasswordField
            value={fields.password}
            onChange={(password) => change({ password })}
            error={form.shown(problems.password)}
          />
        )}
        <FormError>{form.refusal}</FormError>
        <Button kind="primary" size="main" type="submit" busy={form.busy}>
          {t(words.send)}
        </Button>
      </Form>
      <div className="flex min-w-0 flex-col gap-3">
        <Note tone={type === 'buy' ? 'warn' : 'info'}>
          <p>{t(type === 'buy' ? 'acc.firstOrder' : 'acc.howWithdraw')}</p>
        </Note>
        {type === 'buy' && <Facts id={acceptor.id} way={fields.way} />}
      </div>
    </div>
  );
}

function Facts({ id, way }: { id: number; way: DealFields['way'] }) {
  const info = useQuery({ queryKey: KEYS.info(id), queryFn: () => acceptorInfo(api, id), staleTime: 30_000 });
  if (info.isError && !info.data) return <Failed retry={() => void info.refetch()} />;
  if (!info.data) return <Skeleton className="h-40 w-full" />;
  return <PayFacts info={info.data} ways={way === '' ? WAYS : [way]} />;
}
