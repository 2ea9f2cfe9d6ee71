import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { verifyProof, type ProofVerdict, type SolvencyProof, type SolvencySnapshot } from '@bourse/contract';
import { Alert, Button, Field, formatBalance, Num, Panel, Select } from '@bourse/ui';
import { ApiError, api } from '../../../core/api.js';
import { useSession, useSignedIn } from '../../../core/session.js';
import { useWallet } from '../../../core/wallet.js';
import { FormError } from '../../../forms/form-card.js';
import { solvencyProof } from '../api/records.js';
import { readProof, rootAgainst } from '../model/solvency.js';
import { Time } from '../../../parts/time.js';
import { AddressText } from '../../../parts/address-text.js';

interface Checked {
  readonly proof: SolvencyProof;
  readonly verdict: ProofVerdict;
}

/**
 * Fetches the person's own proof, or takes a pasted one, and hashes it again from the leaf to the root in this browser.
 */
export function ProofChecker({ published }: { published: SolvencySnapshot | undefined }) {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const ownId = useSession((session) => session.userId);
  const { wallet } = useWallet();
  const coins =
    wallet?.change_wallet.balance.filter((coin) =>
      published?.currencies.some(({ currency }) => currency === coin.currency_name),
    ) ?? [];
  const [coin, setCoin] = useState('');
  const [pasted, setPasted] = useState('');
  const [userId, setUserId] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  /**
   * The newest snapshot was taken before this person had a balance in the coin: there is no proof yet, and no fault.
   */
  const [young, setYoung] = useState(false);
  const [checked, setChecked] = useState<Checked>();
  const chosen =
    coins.find(({ currency }) => String(currency) === coin) ??
    coins.find(({ currency_name: name }) => name === 'USDT') ??
    coins[0];

  const verify = async (proof: SolvencyProof, whose: string): Promise<void> => {
    // Browsers have WebCrypto on secure pages only.
    if (!globalThis.crypto.subtle) return setProblem(t('wallet.noCrypto'));
    setChecked({ proof, verdict: await verifyProof(proof, { userId: Number(whose) }) });
  };
  const fetchOwn = async (): Promise<void> => {
    if (!chosen || !published || ownId === null) return;
    setBusy(true);
    setProblem(undefined);
    setYoung(false);
    setChecked(undefined);
    try {
      const proof = await solvencyProof(api, chosen.currency, published.snapshot_id);
      setPasted(JSON.stringify(proof, null, 1));
      setUserId(ownId);
      await verify(proof, ownId);
    } catch (failure) {
      if (!(failure instanceof ApiError)) setProblem(t('common.loadFailed'));
      else if (failure.key === 'common.notFound') setYoung(true);
      else setProblem(failure.message);
    } finally {
      setBusy(false);
    }
  };
  const checkPasted = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setChecked(undefined);
    setProblem(undefined);
    const proof = readProof(pasted);
    if (!proof) return setProblem(t('wallet.proofUnreadable'));
    if (!/^\d{1,16}$/.test(userId.trim())) return setProblem(t('wallet.userIdRequired'));
    await verify(proof, userId.trim());
  };

  return (
    <Panel className="flex flex-col gap-4 p-4">
      <div>
        <h2 className="text-title font-semibold">{t('wallet.checker')}</h2>
        <p className="mt-1 max-w-prose text-t2">{t('wallet.checkerLead')}</p>
      </div>
      {signedIn ? (
        <div className="flex flex-wrap items-end gap-3">
          <Select
            className="w-44"
            label={t('common.coin')}
            value={String(chosen?.currency ?? '')}
            onChange={setCoin}
            options={coins.map((option) => ({ value: String(option.currency), label: option.currency_name }))}
          />
          <Button kind="primary" busy={busy} disabled={!chosen} onClick={() => void fetchOwn()}>
            {t('wallet.checkMine')}
          </Button>
        </div>
      ) : (
        <p className="text-t2">
          <Link className="underline hover:text-t1" to="/components/login?back=%2Fsolvency">
            {t('wallet.checkSignIn')}
          </Link>
        </p>
      )}
      {checked && <Verdict checked={checked} published={published} />}
      {young && published && (
        <Alert title={t('wallet.notInSnapshot', { id: published.snapshot_id })}>
          {t('wallet.notInSnapshotText')} <Time>{published.time}</Time>
        </Alert>
      )}
      <FormError>{problem}</FormError>
      <details className="rounded-panel border border-line">
        <summary className="cursor-pointer px-3 py-2 text-body">{t('wallet.byHand')}</summary>
        <form
          noValidate
          onSubmit={(event) => void checkPasted(event)}
          aria-label={t('wallet.byHand')}
          className="flex flex-col gap-3 p-3"
        >
          <label className="flex flex-col gap-1">
            <span className="text-table text-t2">{t('wallet.proofJson')}</span>
            <textarea
              name="proof"
              dir="ltr"
              rows={8}
              spellCheck={false}
              value={pasted}
              onChange={(event) => setPasted(event.target.value)}
              className="rounded-panel border border-line-strong bg-bg2 p-2 font-mono text-table text-t1"
            />
          </label>
          <Field
            className="max-w-60"
            label={t('nav.uid')}
            name="user_id"
            numeric
            inputMode="numeric"
            value={userId}
            maxLength={16}
            onChange={(event) => setUserId(event.target.value)}
          />
          <div>
            <Button type="submit">{t('wallet.checkPasted')}</Button>
          </div>
        </form>
      </details>
    </Panel>
  );
}

/** Each hash that was made again, from the leaf to the root, and what it comes to. */
function Verdict({
  checked: { proof, verdict },
  published,
}: {
  checked: Checked;
  published: SolvencySnapshot | undefined;
}) {
  const { t } = useTranslation();
  const root = rootAgainst(proof, published);
  const good = verdict.ok && root !== 'other';
  return (
    <div role="status" className="flex flex-col gap-3">
      <p className={good ? 'text-title font-medium text-up' : 'text-title font-medium text-down'}>
        {good ? '✓ ' : '✗ '}
        {good
          ? t('wallet.proofHolds', {
              balance: `\u2066${formatBalance(proof.leaf.balance)}\u2069`,
              coin: proof.currency,
              total: `\u2066${formatBalance(proof.root_sum)}\u2069`,
            })
          : t(verdict.fault ? `wallet.proofFault.${verdict.fault}` : 'wallet.rootOther')}
      </p>
      {verdict.ok && (
        <p className={root === 'other' ? 'text-down' : root === 'same' ? 'text-up' : 'text-warn'}>
          {root === 'other' ? '✗ ' : root === 'same' ? '✓ ' : ''}
          {t(root === 'same' ? 'wallet.rootSame' : root === 'other' ? 'wallet.rootOther' : 'wallet.rootUnknown')}
        </p>
      )}
      <ol className="flex flex-col gap-2">
        {verdict.steps.map((step, index) => (
          <li key={step.text} className="rounded-panel border border-line bg-bg2 p-3 text-table">
            <p className="mb-1 flex flex-wrap justify-between gap-2 text-t1">
              <span>
                {index === 0
                  ? t('wallet.stepLeaf')
                  : index === verdict.steps.length - 1
                    ? t('wallet.stepRoot')
                    : t('wallet.stepNode', { number: index })}
              </span>
              <span className="text-t2">
                {t('wallet.sumHere')} <Num>{step.sum}</Num>
              </span>
            </p>
            <p className="text-t2">
              <AddressText full>{`SHA-256(${step.text})`}</AddressText>
            </p>
            <p className="text-t1">
              <span aria-hidden>= </span>
              <AddressText full>{step.hash}</AddressText>
            </p>
          </li>
        ))}
      </ol>
    </div>
  );
}
