import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Appeal, Deal } from '@bourse/contract';
import { Badge, Button, cx, Panel, PERSONAL_TEXT, Skeleton, timeOf } from '@bourse/ui';
import { SubmissionDialog } from '../../forms/submission-dialog.js';
import { useSubmission } from '@bourse/web';
import { Failed } from '../../parts/failed.js';
import { Time } from '../../parts/time.js';
import { transcript, useAppeal, withdrawAppeal } from '../api/appeal.js';
import { APPEAL, stateOf } from '../model/deal.js';
import { AppealDialog, EvidenceDialog } from './appeal-dialogs.js';
import { DealCountdown } from './deal-turn.js';
import { SignedPicture } from './picture.js';
import { SaveButton } from './save-button.js';

/** The appeal of a deal: the way to open one, then what was said and brought, when it is decided, and how. */
export function AppealPanel({ deal, className }: { deal: Deal; className?: string }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<'open' | 'evidence' | 'withdraw' | undefined>();
  const has = deal.appeal !== APPEAL.none;
  const { appeal, failed, retry } = useAppeal(deal.id, has);
  const close = (): void => setAsked(undefined);
  return (
    <Panel label={t('deals.appeal')} className={cx('flex flex-col gap-4 p-4', className)}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="flex items-center gap-2 text-title font-semibold">
          {t('deals.appeal')}
          {has && (
            <Badge tone={deal.appeal === APPEAL.open ? 'down' : 'info'}>{t(`deals.state.${stateOf(deal)}`)}</Badge>
          )}
        </h2>
        <SaveButton read={() => transcript(deal.id)} name={`deal-${deal.id}.html`}>
          {t('deals.transcript')}
        </SaveButton>
      </div>
      {!has && <p className="max-w-prose text-body text-t2">{t('deals.appealLead')}</p>}
      {has &&
        (failed ? <Failed retry={retry} /> : appeal ? <Story appeal={appeal} /> : <Skeleton className="h-40 w-full" />)}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {deal.can.includes('appeal') && (
          <Button size="main" kind="danger" className="max-md:grow" onClick={() => setAsked('open')}>
            {t('deals.openAppeal')}
          </Button>
        )}
        {deal.appeal === APPEAL.open && (
          <Button size="main" className="max-md:grow" onClick={() => setAsked('evidence')}>
            {t('deals.addEvidence')}
          </Button>
        )}
        {deal.can.includes('appeal_cancel') && (
          <Button size="main" kind="quiet" className="max-md:grow" onClick={() => setAsked('withdraw')}>
            {t('deals.withdrawAppeal')}
          </Button>
        )}
      </div>
      {asked === 'open' && <AppealDialog id={deal.id} onClose={close} />}
      {asked === 'evidence' && <EvidenceDialog id={deal.id} onClose={close} />}
      {asked === 'withdraw' && <WithdrawDialog id={deal.id} onClose={close} />}
    </Panel>
  );
}

function Story({ appeal }: { appeal: Appeal }) {
  const { t } = useTranslation();
  return (
    <>
      {appeal.state === APPEAL.open && timeOf(appeal.decision_due) !== undefined && (
        <div className="flex flex-wrap items-center gap-3 text-body">
          {t('deals.decisionDue')}
          <DealCountdown deadline={appeal.decision_due} />
        </div>
      )}
      {appeal.decision !== '' && <p className="rounded-panel border border-info p-3 text-body">{appeal.decision}</p>}
      {appeal.reason !== '' && (
        <div>
          <h3 className="mb-1 text-table text-t2">{t('deals.reason')}</h3>
          <p {...PERSONAL_TEXT} className="max-w-prose break-words whitespace-pre-wrap">
            {appeal.reason}
          </p>
        </div>
      )}
      {appeal.evidence.length > 0 && (
        <div>
          <h3 className="mb-2 text-table text-t2">{t('deals.evidence')}</h3>
          <ul className="flex flex-wrap gap-4">
            {appeal.evidence.map((piece, at) => (
              <li
                key={`${piece.time} ${at}`}
                className="flex max-w-64 flex-col gap-1 rounded-panel border border-line p-2"
              >
                {piece.url !== '' && (
                  <SignedPicture src={piece.url} alt={`${t('deals.evidence')} ${at + 1}`} className="h-32" />
                )}
                {piece.text !== '' && (
                  <p {...PERSONAL_TEXT} className="break-words whitespace-pre-wrap">
                    {piece.text}
                  </p>
                )}
                <p className="text-label text-t2">
                  {t(`deals.by.${piece.by}`)} · <Time>{piece.time}</Time>
                </p>
              </li>
            ))}
          </ul>
        </div>
      )}
      <ol aria-label={t('deals.timeline')} className="flex flex-col gap-2 border-s border-line-strong ps-4">
        {appeal.timeline.map(({ time, text }, at) => (
          <li key={`${time} ${at}`} className="flex flex-wrap gap-x-4 text-body">
            <span className="text-t2">
              <Time>{time}</Time>
            </span>
            {text}
          </li>
        ))}
      </ol>
    </>
  );
}

function WithdrawDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const submission = useSubmission();
  const send = (): void =>
    void submission.run(async () => {
      await withdrawAppeal(id);
      onClose();
    });
  return (
    <SubmissionDialog
      title={t('deals.withdrawAppeal')}
      description={t('deals.withdrawAppealText')}
      submission={submission}
      action={t('deals.withdrawAppeal')}
      kind="danger"
      keep={t('common.back')}
      onSend={send}
      onClose={onClose}
    />
  );
}
