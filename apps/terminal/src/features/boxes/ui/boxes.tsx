import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { CoinBalance } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { Button, Form, formatBalance, localTime, Num, Panel, Table } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { feed } from '../../../core/feed.js';
import { toastDone, useSubmission } from '@bourse/web';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { useWallet } from '../../../core/wallet.js';
import { FormError } from '../../../forms/form-card.js';
import { CoinSelect } from '../../../parts/coin-select.js';
import { Failed } from '../../../parts/failed.js';
import { NumberField } from '../../../parts/number-field.js';
import { BOXES, openBox, openBoxes } from '../api/boxes.js';
import { withBox, type Box } from '../model/boxes.js';

/** Boxes of the person: put an amount aside, and see when it comes back. The list follows the pushes. */
export default function Boxes() {
  const { t } = useTranslation();
  const { wallet } = useWallet();
  const coins = wallet?.change_wallet.balance;
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h1 className="text-last font-semibold">{t('box.title')}</h1>
        <p className="mt-1 max-w-prose text-t2">{t('box.lead')}</p>
      </div>
      <Panel className="p-4">
        <PutAside coins={coins} />
      </Panel>
      <Panel>
        <OpenBoxes coins={coins} />
      </Panel>
    </div>
  );
}

function PutAside({ coins }: { coins: readonly CoinBalance[] | undefined }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<number>();
  const [amount, setAmount] = useState('');
  const [tried, setTried] = useState(false);
  const { busy, refusal, run } = useSubmission();
  const currency = chosen ?? coins?.[0]?.currency;
  const sent = toDecimalText(amount);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (sent === '' || currency === undefined) return;
    const fields = { currency, amount: sent };
    void run(async (intent) => {
      toastDone(await openBox(api, fields, intent));
      setAmount('');
      setTried(false);
    }, fields);
  };
  return (
    <Form onSubmit={submit} aria-label={t('box.title')} className="flex max-w-md flex-col gap-3">
      <CoinSelect coins={coins} value={currency} onChange={setChosen} />
      <NumberField
        label={t('box.amount')}
        name="amount"
        scale={COIN_SCALE}
        value={amount}
        error={tried && sent === '' ? t('box.amountRequired') : undefined}
        onTyped={setAmount}
      />
      <FormError>{refusal}</FormError>
      <Button kind="primary" size="main" type="submit" busy={busy}>
        {t('box.put')}
      </Button>
    </Form>
  );
}

function OpenBoxes({ coins }: { coins: readonly CoinBalance[] | undefined }) {
  const { t } = useTranslation();
  const list = useQuery({ queryKey: BOXES, queryFn: () => openBoxes(api) });
  useEffect(
    () =>
      feed.on('box_update', ({ box }) =>
        queryClient.setQueryData<readonly Box[]>(BOXES, (held) => held && withBox(held, box)),
      ),
    [],
  );
  if (list.isError && !list.data) return <Failed retry={() => void list.refetch()} />;
  const nameOf = (id: number): string => coins?.find(({ currency }) => currency === id)?.currency_name ?? '';
  return (
    <Table
      label={t('box.title')}
      rows={list.data}
      rowKey={({ id }) => id}
      empty={t('box.empty')}
      columns={[
        {
          id: 'coin',
          header: t('common.coin'),
          card: 'title',
          cell: ({ currency }) => <Num>{nameOf(currency)}</Num>,
        },
        {
          id: 'amount',
          header: t('box.amount'),
          end: true,
          cell: ({ amount }) => <Num>{formatBalance(amount)}</Num>,
        },
        {
          id: 'closes',
          header: t('box.closesAt'),
          end: true,
          cell: ({ closes_at: at }) => <Num>{localTime(at)}</Num>,
        },
      ]}
    />
  );
}
