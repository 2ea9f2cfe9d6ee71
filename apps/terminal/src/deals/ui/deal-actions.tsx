import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Deal } from '@bourse/contract';
import { Button, Checkbox } from '@bourse/ui';
import { toastDone } from '@bourse/web';
import { SubmissionDialog } from '../../forms/submission-dialog.js';
import { useIntentForm } from '../../forms/use-form.js';
import { FundPasswordField } from '../../parts/fund-password-field.js';
import { Note } from '../../parts/note.js';
import { PhotoField } from '../../parts/photo-field.js';
import { NO_PHOTO, photoUrl } from '../../parts/photo.js';
import { actOn, type Act } from '../api/deals.js';
import { passwordProblem } from '../model/ad.js';
import { otherName } from '../model/deal.js';
import { apart, coinText, fiatText } from './words.js';

const ACTS: readonly Act[] = ['pay', 'confirm', 'cancel'];
const KINDS = { pay: 'primary', confirm: 'primary', cancel: 'danger' } as const;

/** The acts that the exchange allows the person on a deal now, large enough for a thumb. */
export function DealActions({ deal }: { deal: Deal }) {
  const { t } = useTranslation();
  const [act, setAct] = useState<Act | undefined>();
  const open = ACTS.filter((one) => deal.can.includes(one));
  // A question about an act that has become impossible is closed.
  const asked = act && open.includes(act) ? act : undefined;
  if (open.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-3">
      {open.map((one) => (
        <Button
          key={one}
          size="main"
          kind={KINDS[one]}
          className="max-md:h-13 max-md:grow max-md:basis-40"
          onClick={() => setAct(one)}
        >
          {t(`deals.act.${one}`)}
        </Button>
      ))}
      {asked && <ActDialog key={asked} deal={deal} act={asked} onClose={() => setAct(undefined)} />}
    </div>
  );
}

/** Asks before something is done that cannot be taken back. Enter does not send it (terminal rule 13). */
function ActDialog({ deal, act, onClose }: { deal: Deal; act: Act; onClose: () => void }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [proof, setProof] = useState(NO_PHOTO);
  const [checked, setChecked] = useState(false);
  const problems = {
    ...(act === 'confirm' && !checked ? { checked: 'deals.problem.check' } : {}),
    ...(proof.state === 'sending' ? { proof: 'photo.wait' } : {}),
    ...passwordProblem(password),
  };
  const url = photoUrl(proof);
  const form = useIntentForm(problems, url === '' ? {} : { proof: url }, async (fields, intent) => {
    toastDone(await actOn(deal, act, { password, ...fields }, intent), `deal ${deal.id}`);
    onClose();
  });
  const words = {
    money: apart(fiatText(deal.deal_money, deal.coin_code)),
    coins: apart(coinText(deal.number, deal.currency_name)),
    name: apart(deal.hes_realname || otherName(deal)),
  };
  return (
    <SubmissionDialog
      title={t(`deals.act.${act}`)}
      description={t(`deals.ask.${act}`, words)}
      submission={form}
      action={t(`deals.act.${act}`)}
      kind={KINDS[act]}
      keep={t('common.back')}
      onSend={() => void form.submit()}
      onClose={onClose}
    >
      {act === 'cancel' && (
        <Note tone="warn">
          <p>{t('deals.cancelWarning')}</p>
        </Note>
      )}
      {act === 'pay' && (
        <PhotoField
          label={t('deals.proof')}
          hint={t('deals.proofHint')}
          scene="proof"
          camera
          photo={proof}
          onPhoto={setProof}
          error={form.shown(problems.proof)}
        />
      )}
      {act === 'confirm' && (
        <>
          <Checkbox
            label={t('deals.checked', words)}
            checked={checked}
            aria-invalid={form.shown(problems.checked) !== undefined || undefined}
            onChange={(event) => setChecked(event.target.checked)}
          />
          {form.shown(problems.checked) && (
            <p role="alert" className="text-table text-down">
              {form.shown(problems.checked)}
            </p>
          )}
        </>
      )}
      <FundPasswordField value={password} onChange={setPassword} error={form.shown(problems.password)} />
    </SubmissionDialog>
  );
}
