import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { COIN_SCALE } from '@bourse/formulas';
import { Button, DescriptionList, Form, formatBalance, formatBookPrice, grouped, Num, Skeleton } from '@bourse/ui';
import { useSubmission } from '@bourse/web';
import { useFeeLevel } from '../../../core/fee-level.js';
import { spotBalance, useWallet } from '../../../core/wallet.js';
import { SubmissionDialog } from '../../../forms/submission-dialog.js';
import { Failed } from '../../../parts/failed.js';
import { Note } from '../../../parts/note.js';
import { NumberField } from '../../../parts/number-field.js';
import { sendConversion, useOtherSide, type Converted } from '../api/convert.js';
import { atOwnRates, convert, convertProblem, type Coin, type Conversion, type Joint } from '../model/convert.js';

/** How much, at what price, and what comes out; then the question, the order, and what came of it. */
export function ConvertForm({ joint: listed, from, to }: { joint: Joint; from: Coin; to: Coin }) {
  const { t } = useTranslation();
  const { data: level } = useFeeLevel();
  const joint = atOwnRates(listed, level?.taker_percent);
  const { wallet } = useWallet();
  const book = useOtherSide(joint);
  const submission = useSubmission();
  const [amount, setAmount] = useState('');
  const [tried, setTried] = useState(false);
  const [asked, setAsked] = useState<Conversion>();
  const [result, setResult] = useState<{ converted: Converted | undefined }>();
  if (book.isError && !book.data) return <Failed retry={() => void book.refetch()} />;
  if (!book.data) return <Skeleton className="h-64 w-full" />;
  const available = spotBalance(wallet, from.id)?.change_balance;
  const conversion = convert(joint, book.data, amount);
  const problem = convertProblem(amount, available, joint, conversion, book.data.length === 0);
  const openConfirmation = (event: FormEvent): void => {
    event.preventDefault();
    submission.clear();
    setTried(true);
    setResult(undefined);
    if (!problem) setAsked(conversion);
  };
  const send = async (order: Conversion): Promise<void> => {
    const done = await submission.run(
      async (intent, sent) => setResult({ converted: await sendConversion(joint, sent.amount, sent.best, intent) }),
      [joint.pair.symbol, joint.side, amount],
      // The book moves; a conversion that got no answer is the same one until its end is known.
      { amount: order.amount, best: order.best },
    );
    if (!done) return;
    setAsked(undefined);
    setAmount('');
    setTried(false);
  };
  return (
    <Form onSubmit={openConfirmation} aria-label={t('nav.convert')} className="flex flex-col gap-4">
      <NumberField
        label={t('convert.give')}
        name="amount"
        scale={COIN_SCALE}
        value={amount}
        onTyped={setAmount}
        error={tried && problem ? t(problem) : undefined}
        hint={
          available === undefined ? undefined : (
            <>
              {t('wallet.available')} <Num>{`${formatBalance(available)} ${from.name}`}</Num>
            </>
          )
        }
        suffix={
          <span className="flex items-center gap-2">
            <Num>{from.name}</Num>
            {available !== undefined && (
              <Button kind="quiet" size="small" onClick={() => setAmount(available)}>
                {t('wallet.all')}
              </Button>
            )}
          </span>
        }
      />
      <Figures
        joint={joint}
        from={from}
        to={to}
        best={conversion?.best ?? book.data[0]?.price}
        conversion={conversion}
      />
      {conversion && !conversion.whole && (
        <Note tone="warn">
          <p>{t('convert.thin', { amount: `\u2066${grouped(conversion.given)} ${from.name}\u2069` })}</p>
        </Note>
      )}
      <Button kind="primary" size="main" type="submit">
        {t('nav.convert')}
      </Button>
      {result && <Result result={result.converted} from={from} to={to} />}
      {asked && (
        <SubmissionDialog
          title={t('nav.convert')}
          description={t('convert.ask', {
            given: `\u2066${grouped(asked.given)} ${from.name}\u2069`,
            received: `\u2066${grouped(asked.received)} ${to.name}\u2069`,
          })}
          submission={submission}
          action={t('nav.convert')}
          kind="primary"
          onSend={() => void send(asked)}
          onClose={() => setAsked(undefined)}
        >
          <Figures joint={joint} from={from} to={to} best={asked.best} conversion={asked} />
        </SubmissionDialog>
      )}
    </Form>
  );
}

/** Price, fee and what comes out, walked through the book. */
function Figures({
  joint: { pair },
  from,
  to,
  best,
  conversion,
}: {
  joint: Joint;
  from: Coin;
  to: Coin;
  best: string | undefined;
  conversion: Conversion | undefined;
}) {
  const { t } = useTranslation();
  const price = (text: string | undefined) => (
    <Num>{text === undefined ? '–' : `${formatBookPrice(text, pair.price_scale)} ${pair.legal_name}`}</Num>
  );
  const coins = (text: string | undefined, coin: Coin) => (
    <Num>{text === undefined ? '–' : `${grouped(text)} ${coin.name}`}</Num>
  );
  return (
    <DescriptionList
      facts={[
        { id: 'pair', name: t('convert.pair'), value: <Num>{pair.symbol}</Num> },
        { id: 'best', name: t('convert.best'), value: price(best) },
        { id: 'mean', name: t('convert.mean'), value: price(conversion?.mean) },
        { id: 'given', name: t('convert.given'), value: coins(conversion?.given, from) },
        { id: 'fee', name: t('wallet.fee'), value: coins(conversion?.fee, to) },
        {
          id: 'received',
          name: t('wallet.received'),
          value: <span className="text-body font-medium">{coins(conversion?.received, to)}</span>,
        },
      ]}
    />
  );
}

/** The result, to the last digit. */
function Result({ result, from, to }: { result: Converted | undefined; from: Coin; to: Coin }) {
  const { t } = useTranslation();
  return (
    <p role="status" className="rounded-panel border border-line bg-bg2 p-3">
      {result === undefined
        ? t('convert.onItsWay')
        : /[1-9]/.test(result.received)
          ? t('convert.done', {
              given: `\u2066${grouped(result.given)} ${from.name}\u2069`,
              received: `\u2066${grouped(result.received)} ${to.name}\u2069`,
            })
          : t('convert.nothing')}
    </p>
  );
}
