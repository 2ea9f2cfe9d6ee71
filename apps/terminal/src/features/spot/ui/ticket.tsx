import {
  useEffect,
  useEffectEvent,
  useId,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
  type FormEvent,
  type KeyboardEvent,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { ApiError, newIntent } from '@bourse/api-client';
import type { QuotationItem } from '@bourse/contract';
import { Button, Checkbox, cx, Field, formatBalance, grouped, Num, PercentSlider, Tabs } from '@bourse/ui';
import { useSignedIn } from '../../../core/session.js';
import { toastDone, toastError } from '../../../core/toasts.js';
import { spotBalance, useWallet } from '../../../core/wallet.js';
import { useKept } from '../../../prefs/use-kept.js';
import { hasScreen } from '../../../paths.js';
import { placeOrder } from '../api/orders.js';
import { lastPriceOf, type PairStream } from '../../../market/stream/pair-stream.js';
import {
  emptyTicket,
  orderFields,
  reduceTicket,
  summarizeTicket,
  validateTicket,
  type Mode,
  type Percent,
  type Side,
  type Ticket,
  type TicketAction,
  type TicketError,
  type TicketPair,
} from '../model/ticket.js';
import { ConfirmOrder } from './confirm-order.js';
import type { BookPick } from '../../../market/book/order-book.js';

interface Props {
  pair: QuotationItem;
  stream: PairStream;
  side: Side;
  onSide: (side: Side) => void;
  /** A price chosen in the book; a new object each time. */
  pick: BookPick | undefined;
  /** Why market orders cannot be sent now; undefined when they can. */
  blocked: 'stale' | 'reconnecting' | 'halted' | 'cancelOnly' | undefined;
  /** What a key asks of the form in front; a new object each time. */
  command?: TicketCommand | undefined;
  onPlaced?: () => void;
}
export type TicketCommand = { readonly mode: Mode } | { readonly percent: Percent };

const scalesOf = (pair: QuotationItem): TicketPair => ({
  priceScale: pair.price_scale,
  numberScale: pair.number_scale,
  minTotal: pair.min_total,
  takerFee: pair.taker_fee,
  makerFee: pair.maker_fee,
});

/** Buy and sell forms; each side keeps what was typed into it. */
export function OrderTicket(props: Props) {
  const { t } = useTranslation();
  const { pair, side, onSide } = props;
  const signedIn = useSignedIn();
  return (
    <div className="flex flex-col">
      <Tabs
        label={t('ticket.side')}
        value={side}
        onChange={onSide}
        tabs={[
          { id: 'buy', label: <span className={cx(side === 'buy' && 'text-up')}>{t('ticket.buy')}</span> },
          { id: 'sell', label: <span className={cx(side === 'sell' && 'text-down')}>{t('ticket.sell')}</span> },
        ]}
      />
      {!signedIn ? (
        <GuestPrompt />
      ) : (
        (['buy', 'sell'] as const).map((which) => (
          <div key={`${pair.symbol} ${which}`} hidden={which !== side}>
            <SideForm {...props} which={which} />
          </div>
        ))
      )}
    </div>
  );
}

function SideForm({ pair, stream, side, which, pick, command, blocked, onPlaced }: Props & { which: Side }) {
  const { t } = useTranslation();
  const { wallet } = useWallet();
  const scales = scalesOf(pair);
  const [ticket, dispatch] = useReducer(
    (state: Ticket, action: TicketAction) => reduceTicket(state, action, scales),
    emptyTicket(which),
  );
  const snapshot = useSyncExternalStore(stream.subscribe, stream.snapshot);
  const [fault, setFault] = useState<TicketError | undefined>();
  const [refusal, setRefusal] = useState('');
  const [confirming, setConfirming] = useState(false);
  const [sending, setSending] = useState(false);
  const [skipConfirm, setSkipConfirm] = useKept('ticket.skipConfirm', false);
  const [advanced, setAdvanced] = useState(false);
  const intent = useRef('');
  const amountField = useRef<HTMLInputElement>(null);
  const id = useId();

  const buy = which === 'buy';
  const coin = spotBalance(wallet, buy ? pair.legal_id : pair.currency_id);
  const available = coin?.change_balance ?? '0';
  const lastPrice = lastPriceOf(snapshot, pair);
  const inputs = { available: coin?.change_balance, lastPrice, opposite: buy ? snapshot.asks : snapshot.bids };
  const summary = summarizeTicket(ticket, inputs, scales);

  // The last price is a first suggestion; it never replaces what was typed.
  const suggested = useRef(false);
  const suggest = useEffectEvent((price: string) => {
    if (suggested.current || price === '') return;
    suggested.current = true;
    dispatch({ type: 'suggest', text: price });
  });
  useEffect(() => suggest(lastPrice), [lastPrice]);
  // Only the form in front takes a price from the book: the side never flips by itself.
  const takePick = useEffectEvent((chosen: BookPick) => {
    if (which !== side) return;
    dispatch({ type: 'pick', ...chosen });
    setFault(undefined);
    amountField.current?.focus();
  });
  useEffect(() => {
    if (pick) takePick(pick);
  }, [pick]);

  const change = (action: TicketAction): void => {
    dispatch(action);
    setFault(undefined);
    setRefusal('');
  };
  const takeCommand = useEffectEvent((given: TicketCommand) => {
    if (which === side)
      change(
        'mode' in given
          ? { type: 'mode', mode: given.mode }
          : { type: 'percent', percent: given.percent, available, bestAsk: snapshot.bestAsk },
      );
  });
  useEffect(() => {
    if (command) takeCommand(command);
  }, [command]);
  const steps =
    (field: 'price' | 'amount' | 'stopPrice') =>
    (event: KeyboardEvent): void => {
      if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
      event.preventDefault();
      change({ type: 'step', field, ticks: (event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? 10 : 1) });
    };
  const validate = (): boolean => {
    const found = validateTicket(ticket, inputs, scales);
    setFault(found);
    if (found) document.getElementById(`${id}-${found.field}`)?.focus();
    return found === undefined;
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (sending || !validate()) return;
    // One press, one order: the key is made here and kept until the answer.
    intent.current = newIntent();
    if (skipConfirm && summary.mustConfirm === '') void send();
    else setConfirming(true);
  };
  const send = async (): Promise<void> => {
    if (sending) return toastError(t('ticket.alreadySent'));
    setSending(true);
    setConfirming(false);
    try {
      await placeOrder(
        { legal_id: pair.legal_id, currency_id: pair.currency_id, type: buy ? 1 : 2, ...orderFields(ticket) },
        intent.current,
        pair,
      );
      toastDone(t('ticket.placed'));
      dispatch({ type: 'reset' });
      onPlaced?.();
    } catch (error) {
      // The form keeps its values; what was refused stands under it.
      if (error instanceof ApiError) setRefusal(error.message);
      else setRefusal(t('ticket.noAnswer'));
    } finally {
      setSending(false);
    }
  };
  const errorOf = (field: TicketError['field']): string | undefined =>
    fault?.field === field ? t(fault.key, { ...fault.params }) : undefined;
  const marketBlocked =
    ticket.mode === 'market' ? blocked : blocked === 'halted' || blocked === 'cancelOnly' ? blocked : undefined;
  const quote = pair.legal_name;
  const base = pair.currency_name;
  return (
    <form
      onSubmit={submit}
      noValidate
      aria-label={t(buy ? 'ticket.buyForm' : 'ticket.sellForm', { pair: pair.symbol })}
      className="flex flex-col gap-3 p-3"
    >
      <div className="flex items-center justify-between gap-2">
        <Tabs<Mode>
          look="pill"
          label={t('ticket.mode')}
          value={ticket.mode}
          onChange={(mode) => change({ type: 'mode', mode })}
          tabs={[
            { id: 'limit', label: t('ticket.limit') },
            { id: 'market', label: t('ticket.market') },
          ]}
        />
        <Checkbox
          label={t('ticket.advanced')}
          checked={advanced}
          onChange={(event) => {
            setAdvanced(event.target.checked);
            if (!event.target.checked) change({ type: 'stop', on: false });
          }}
        />
      </div>
      {advanced && (
        <>
          <Checkbox
            label={t('ticket.stop')}
            checked={ticket.stopOn}
            onChange={(event) => change({ type: 'stop', on: event.target.checked })}
          />
          {ticket.stopOn && (
            <Field
              id={`${id}-stopPrice`}
              compact
              numeric
              label={t('ticket.stopPrice')}
              suffix={<Num>{quote}</Num>}
              value={ticket.stopPrice}
              error={errorOf('stopPrice')}
              hint={t(buy ? 'ticket.stopBuyHint' : 'ticket.stopSellHint')}
              onChange={(event) => change({ type: 'stopPrice', text: event.target.value })}
              onKeyDown={steps('stopPrice')}
            />
          )}
        </>
      )}
      {ticket.mode === 'limit' ? (
        <Field
          id={`${id}-price`}
          compact
          numeric
          label={t('ticket.price')}
          suffix={<Num>{quote}</Num>}
          value={ticket.price}
          error={errorOf('price')}
          onChange={(event) => change({ type: 'price', text: event.target.value })}
          onKeyDown={steps('price')}
          onBlur={() => {
            if (fault) validate();
          }}
        />
      ) : (
        <Field compact label={t('ticket.price')} value={t('ticket.best')} readOnly className="opacity-80" />
      )}
      <Field
        id={`${id}-amount`}
        ref={amountField}
        compact
        numeric
        label={t('ticket.amount')}
        suffix={<Num>{base}</Num>}
        value={ticket.amount}
        error={errorOf('amount')}
        onChange={(event) => change({ type: 'amount', text: event.target.value })}
        onKeyDown={steps('amount')}
        onBlur={() => {
          if (fault) validate();
        }}
      />
      <PercentSlider
        label={t('ticket.percent')}
        value={ticket.percent}
        tone={buy ? 'up' : 'down'}
        onChange={(percent) =>
          change({ type: 'percent', percent: percent as Percent, available, bestAsk: snapshot.bestAsk })
        }
      />
      {ticket.mode === 'limit' && (
        <Field
          id={`${id}-total`}
          compact
          numeric
          label={t('ticket.total')}
          suffix={<Num>{quote}</Num>}
          value={ticket.total}
          error={errorOf('total')}
          onChange={(event) => change({ type: 'total', text: event.target.value })}
        />
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-table">
        <dt className="text-t2">{t('ticket.available')}</dt>
        <dd className="text-end">
          <Num>
            {coin ? formatBalance(available) : '…'} {buy ? quote : base}
          </Num>
        </dd>
        {ticket.mode === 'market' && (
          <>
            <dt className="text-t2">{t('ticket.estimated')}</dt>
            <dd className="text-end">
              {summary.total === '' ? (
                '–'
              ) : (
                <Num>
                  ≈ {grouped(summary.total)} {quote}
                </Num>
              )}
            </dd>
          </>
        )}
        <dt className="text-t2">{t('ticket.fee')}</dt>
        <dd className="text-end">
          {summary.fee === '' ? (
            '–'
          ) : (
            <Num>
              {grouped(summary.fee)} {buy ? base : quote}
            </Num>
          )}
        </dd>
      </dl>
      <Button
        type="submit"
        kind={buy ? 'buy' : 'sell'}
        size="main"
        busy={sending}
        disabled={marketBlocked !== undefined}
      >
        {sending ? t('ticket.sending') : t(buy ? 'ticket.buyCoin' : 'ticket.sellCoin', { coin: base })}
      </Button>
      {marketBlocked && (
        <p role="status" className="text-table text-warn">
          {t(`ticket.blocked.${marketBlocked}`)}
        </p>
      )}
      {refusal && (
        <p role="alert" className="text-table text-down">
          {refusal}
        </p>
      )}
      <ConfirmOrder
        open={confirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => void send()}
        ticket={ticket}
        summary={summary}
        pair={pair}
        skip={skipConfirm}
        onSkip={setSkipConfirm}
      />
    </form>
  );
}

/** Guests see the way in, in place of the forms. */
function GuestPrompt() {
  const { t } = useTranslation();
  return (
    <div className="flex gap-2 p-3">
      {hasScreen('/components/login') && (
        <Link
          to="/components/login?back=/dealCenter"
          className="flex h-11 flex-1 items-center justify-center rounded-panel bg-t1 px-2 text-button font-medium text-on-t1"
        >
          {t('nav.login')}
        </Link>
      )}
      {hasScreen('/register') && (
        <Link
          to="/register"
          className="flex h-11 flex-1 items-center justify-center rounded-panel border border-line-strong px-2 text-button font-medium"
        >
          {t('nav.register')}
        </Link>
      )}
    </div>
  );
}
