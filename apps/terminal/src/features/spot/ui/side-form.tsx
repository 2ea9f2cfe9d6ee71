import { Suspense, useEffect, useEffectEvent, useId, useRef, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { Button, Form, PercentSlider } from '@bourse/ui';
import { lazyScreen, toastError } from '@bourse/web';
import { shareOf } from '../../../core/ticket/share-of.js';
import { useSignInAddress } from '../../../parts/guest-prompt.js';
import { hasScreen } from '../../../paths.js';
import { useKept } from '../../../prefs/use-kept.js';
import { isLimit, isMarket, isPlain, type Percent, type Side, type TicketAction } from '../model/ticket.js';
import { TicketButton } from './ticket-button.js';
import { AmountField, PriceField, TotalField, type FieldProps } from './ticket-fields.js';
import { TicketFigures } from './ticket-figures.js';
import { ExitFields, StopLegFields, TicketKindChoice, TimeInForceChoice } from './ticket-kind.js';
import type { TicketProps } from './ticket.js';
import { useSpotTicket } from './use-spot-ticket.js';

const ConfirmOrder = lazyScreen(async () => ({ default: (await import('./confirm-order.js')).ConfirmOrder }));

/** The form of one side. */
export function SideForm(props: TicketProps & { which: Side }) {
  const { t } = useTranslation();
  const { pair, which, account, armedOrders } = props;
  const buy = which === 'buy';
  const signedIn = !account.isGuest;
  const signIn = useSignInAddress();
  const navigate = useNavigate();
  const id = useId();
  const amountField = useRef<HTMLInputElement>(null);
  const [skipConfirm, setSkipConfirm] = useKept('ticket.skipConfirm', false);
  const form = useSpotTicket(props, which, amountField, skipConfirm);
  const armed = useRef<{ readonly action?: TicketAction } | undefined>(undefined);
  // A key submits the form as its button does, so that a field that refuses its text keeps the order back.
  const sendArmed = useEffectEvent((price?: string): void => {
    if (form.block) return toastError(t(`ticket.blocked.${form.block}`));
    armed.current = price === undefined ? {} : { action: { type: 'pick', price } };
    amountField.current?.form?.requestSubmit();
    armed.current = undefined;
  });
  useEffect(() => armedOrders?.connect(which, (price) => sendArmed(price)), [armedOrders, which]);
  const { ticket } = form;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!signedIn) return void navigate(signIn);
    const fault = form.press(armed.current);
    if (fault) document.getElementById(`${id}-${fault.field}`)?.focus();
  };
  const field: FieldProps = { id, form, pair };
  return (
    <Form
      onSubmit={submit}
      aria-label={t(buy ? 'ticket.buyForm' : 'ticket.sellForm', { pair: pair.symbol })}
      className="flex flex-col gap-3 p-3"
    >
      <TicketKindChoice {...field} />
      <PriceField {...field} />
      {ticket.kind === 'oco' && <StopLegFields {...field} />}
      <AmountField {...field} inputRef={amountField} />
      <PercentSlider
        label={t('ticket.percent')}
        value={ticket.percent || shareOf(buy ? form.summary.total : ticket.amount, form.available)}
        tone={buy ? 'up' : 'down'}
        onChange={(percent) => form.percent(percent as Percent)}
      />
      {(!isMarket(ticket) || isPlain(ticket)) && <TotalField {...field} />}
      {isLimit(ticket) && <TimeInForceChoice form={form} />}
      {isPlain(ticket) && <ExitFields {...field} />}
      <TicketFigures form={form} pair={pair} guest={account.isGuest} />
      <TicketButton form={form} pair={pair} guest={!signedIn} blocked={form.block} />
      {!signedIn && hasScreen('/register') && (
        <p className="text-table text-t2">
          {t('ticket.noAccount')}{' '}
          <Link to="/register" className="text-accent underline">
            {t('nav.register')}
          </Link>
        </p>
      )}
      {signedIn && skipConfirm && isLimit(ticket) && (
        <p className="flex flex-wrap items-center gap-x-2 text-label text-t2">
          {t('confirm.skipped')}
          <Button kind="quiet" size="small" onClick={() => setSkipConfirm(false)}>
            {t('confirm.askAgain')}
          </Button>
        </p>
      )}
      <Suspense>
        {form.asking && (
          <ConfirmOrder
            onClose={form.stopAsking}
            onConfirm={(skip) => {
              setSkipConfirm(skip);
              void form.send();
            }}
            ticket={ticket}
            summary={form.summary}
            pair={pair}
            skip={skipConfirm}
          />
        )}
      </Suspense>
    </Form>
  );
}
