import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { Button } from '@bourse/ui';
import type { MarketBlock } from '../../../market/stream/market-block.js';
import type { SpotTicket } from './use-spot-ticket.js';

/** The main button, and below it why it rests or what was refused. */
export function TicketButton({
  form: { ticket, sending, refusal },
  pair,
  blocked,
  guest,
}: {
  form: SpotTicket;
  pair: QuotationItem;
  blocked: MarketBlock | undefined;
  /** The person is a guest: the button leads to the sign-in. */
  guest: boolean;
}) {
  const { t } = useTranslation();
  const buy = ticket.side === 'buy';
  const names = guest
    ? { buy: 'ticket.loginBuy', sell: 'ticket.loginSell' }
    : { buy: 'ticket.buyCoin', sell: 'ticket.sellCoin' };
  const text = t(names[ticket.side], { coin: pair.currency_name });
  return (
    <>
      <Button type="submit" kind={buy ? 'buy' : 'sell'} size="main" busy={sending} disabled={blocked !== undefined}>
        {sending ? t('ticket.sending') : text}
      </Button>
      {blocked && (
        <p role="status" className="text-table text-warn">
          {t(`ticket.blocked.${blocked}`)}
        </p>
      )}
      {refusal && (
        <p role="alert" className="text-table text-down">
          {refusal}
        </p>
      )}
    </>
  );
}
