import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { COIN_SCALE } from '@bourse/formulas';
import type { LeverPosition } from '@bourse/contract';
import { Button, DescriptionList, Dialog, formatBalance, Num, Tabs, type Fact } from '@bourse/ui';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { toastDone, useSubmission } from '@bourse/web';
import { spotBalance, useWallet } from '../../../core/wallet.js';
import { NumberField } from '../../../parts/number-field.js';
import { movePrincipal, useBoard } from '../api/lever.js';
import { principalContents } from '../model/contents.js';
import { liquidationAfter } from '../model/positions.js';
import { liquidationText } from './lever-figures.js';
import { PositionSide } from './position-side.js';
import { scalesOfRow, usePairs } from './use-pairs.js';

interface Quote {
  readonly id: number;
  readonly name: string;
}

/** Principal into the leverage account or out of it. What may leave while positions are open the server says. */
export function PrincipalButton({ quote }: { quote: Quote }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('lever.principal')}
      </Button>
      {open && <PrincipalDialog quote={quote} onClose={() => setOpen(false)} />}
    </>
  );
}

function PrincipalDialog({ quote, onClose }: { quote: Quote; onClose: () => void }) {
  const { t } = useTranslation();
  const { wallet } = useWallet();
  const [way, setWay] = useState<'in' | 'out'>('in');
  const [amount, setAmount] = useState('');
  const [missing, setMissing] = useState(false);
  const { busy, refusal, run, clear } = useSubmission('lever.noAnswer');
  const coin = spotBalance(wallet, quote.id);
  const available = way === 'in' ? coin?.change_balance : coin?.lever_balance;
  const number = toDecimalText(amount);
  const send = async (): Promise<void> => {
    if (!/[1-9]/.test(number)) return setMissing(true);
    const type = way === 'in' ? 3 : 4;
    const move = async (intent: string): Promise<void> =>
      toastDone(await movePrincipal(type, quote.id, number, intent));
    if (await run(move, principalContents(type, quote.id, number))) onClose();
  };
  const change = (text: string): void => {
    setAmount(text);
    setMissing(false);
    clear();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('lever.principal')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" busy={busy} onClick={() => void send()}>
            {t(way === 'in' ? 'lever.moveIn' : 'lever.moveOut')}
          </Button>
        </>
      }
    >
      <Tabs<'in' | 'out'>
        look="pill"
        label={t('lever.principal')}
        value={way}
        onChange={(next) => {
          setWay(next);
          clear();
        }}
        tabs={[
          { id: 'in', label: t('lever.moveIn') },
          { id: 'out', label: t('lever.moveOut') },
        ]}
      />
      <p className="text-table text-t2">{t(way === 'in' ? 'lever.inText' : 'lever.outText')}</p>
      {way === 'in' && <p className="text-table text-t2">{t('lever.sharedMargin')}</p>}
      <NumberField
        label={t('ticket.amount')}
        scale={COIN_SCALE}
        value={amount}
        error={missing ? t('lever.amountRequired') : refusal}
        onTyped={change}
        hint={
          <>
            {t('ticket.available')}{' '}
            <Num>{available === undefined ? '…' : `${formatBalance(available)} ${quote.name}`}</Num>
          </>
        }
        suffix={<Num>{quote.name}</Num>}
      />
      <Liquidations quote={quote} way={way} amount={number} />
    </Dialog>
  );
}

/** The liquidation price of each open position of the quote, now and after the transfer. */
function Liquidations({ quote, way, amount }: { quote: Quote; way: 'in' | 'out'; amount: string }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const { board } = useBoard('open', { legalId: quote.id, currencyId: 0 });
  if (!board || board.rows.length === 0) return null;
  const transfer = /[1-9]/.test(amount) ? `${way === 'in' ? '' : '-'}${amount}` : undefined;
  const fact = (row: LeverPosition): Fact => {
    const scales = scalesOfRow(pairs.get(row.symbol));
    const text = (price: string): string => (price === '' ? '–' : liquidationText(t, price, scales.price_scale));
    const before = text(row.liquidation_price);
    const after = transfer === undefined ? before : text(liquidationAfter(row, transfer, scales));
    return {
      id: row.id,
      name: (
        <>
          <Num>{`${row.symbol} ${row.multiple}×`}</Num> <PositionSide type={row.type} />
        </>
      ),
      value: (
        <>
          <Num>{before}</Num>
          {after !== before && (
            <>
              {' '}
              <span aria-hidden className="inline-block rtl:-scale-x-100">
                →
              </span>{' '}
              <Num>{after}</Num>
            </>
          )}
        </>
      ),
    };
  };
  return (
    <section className="flex flex-col gap-1.5" aria-label={t('lever.liquidation')}>
      <h3 className="text-table font-medium">{t('lever.liquidation')}</h3>
      <DescriptionList facts={board.rows.map(fact)} />
    </section>
  );
}
