import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { COIN_SCALE } from '@bourse/formulas';
import { Button, Dialog, formatBalance, Num, Tabs } from '@bourse/ui';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { toastDone, useSubmission } from '@bourse/web';
import { spotBalance, useWallet } from '../../../core/wallet.js';
import { NumberField } from '../../../parts/number-field.js';
import { movePrincipal } from '../api/lever.js';

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
    if (await run(async (intent) => toastDone(await movePrincipal(type, quote.id, number, intent)), `${way} ${number}`))
      onClose();
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
    </Dialog>
  );
}
