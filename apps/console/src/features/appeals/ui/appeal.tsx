import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { ApiError } from '@bourse/api-client';
import type { ChatLine } from '@bourse/contract';
import { Alert, Badge, Button, cx, Empty, Num, PERSONAL_TEXT, Skeleton } from '@bourse/ui';
import { toastError } from '@bourse/web';
import { api } from '../../../core/api.js';
import { useAdminQuery } from '../../../core/calls.js';
import { useMay, useOperator } from '../../../core/operator.js';
import { ActDialog } from '../../../parts/act-dialog.js';
import { Facts, Section } from '../../../parts/detail.js';
import { Failed } from '../../../parts/failed.js';
import { PersonLink } from '../../../parts/person-link.js';
import { Picture } from '../../../parts/picture.js';
import { saveBlob } from '../../../parts/save-text.js';
import { When } from '../../../parts/when.js';
import { choicesOf, happenings, type AppealFile, type Happening } from '../model/appeal.js';
import { APPEAL_TONES } from './tones.js';

const PATH = '/api/admin/appeals';
/** Signed addresses of pictures expire after five minutes; the same read brings new messages of the two sides. */
const REFRESH_MS = 60_000;

/** One appeal: the statements and proofs of both sides, and the acts that decide it. */
export default function AppealPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const file = useAdminQuery(`${PATH}/${encodeURIComponent(id)}`, {}, { everyMs: REFRESH_MS });
  if (file.isPending) return <Skeleton className="h-80 w-full" />;
  if (!file.data) return <Failed error={file.error} retry={() => void file.refetch()} />;
  const appeal = file.data;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Link to="/appeals" className="w-fit text-table underline hover:text-t2">
        {t('console.appeals.back')}
      </Link>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-1">
          <h1 className="text-last font-semibold">
            {t('console.appeals.one')} <Num>{appeal.id}</Num>
          </h1>
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={APPEAL_TONES[appeal.state]}>{t(`console.appeals.state.${appeal.state}`)}</Badge>
            {appeal.overdue === 1 && <Badge tone="down">{t('console.appeals.overdue')}</Badge>}
            {appeal.with_escrow === 0 && <Badge tone="warn">{t('console.appeals.noEscrow')}</Badge>}
          </p>
        </div>
        <Acts appeal={appeal} />
      </header>
      <Proposal appeal={appeal} />
      <div className="grid min-w-0 items-start gap-4 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <DealFacts appeal={appeal} />
          <Section title={t('console.appeals.timeline')}>
            <ol className="flex flex-col gap-3">
              {happenings(appeal).map((what) => (
                <HappeningLine key={what.id} what={what} />
              ))}
            </ol>
          </Section>
        </div>
        <Section title={t('console.appeals.chat')}>
          {appeal.chat.length === 0 && <Empty>{t('console.appeals.noChat')}</Empty>}
          <ol className="flex flex-col gap-2">
            {appeal.chat.map((line) => (
              <Said key={line.id} line={line} />
            ))}
          </ol>
        </Section>
      </div>
    </div>
  );
}

/** The proposal, and whether the present operator may be the second person. */
function Proposal({ appeal }: { appeal: AppealFile }) {
  const { t } = useTranslation();
  const me = useOperator((operator) => operator.me?.id);
  const { second, waitsForOther } = choicesOf(appeal, me);
  if (waitsForOther)
    return (
      <Alert tone="info" title={t('console.appeals.waitsTitle')}>
        {t('console.appeals.waits', { side: t(`console.appeals.${appeal.proposed}`) })}
      </Alert>
    );
  if (second === '') return null;
  return (
    <Alert tone="warn" title={t('console.appeals.secondTitle')}>
      {t('console.appeals.second', { side: t(`console.appeals.${second}`), id: appeal.proposed_by })}
    </Alert>
  );
}

function DealFacts({ appeal }: { appeal: AppealFile }) {
  const { t } = useTranslation();
  return (
    <Section title={t('console.appeals.deal')}>
      <Facts
        rows={[
          [t('console.c2c.deal'), <Num key="deal">{appeal.deal_id}</Num>],
          [t('console.people.state'), t(`console.c2c.sure.${appeal.is_sure}`)],
          [t('console.appeals.buyer'), <PersonLink key="buyer" id={appeal.buyer_id} />],
          [t('console.appeals.seller'), <PersonLink key="seller" id={appeal.seller_id} />],
          [
            t('console.people.amount'),
            <Num key="number">
              {appeal.number} {appeal.currency_name}
            </Num>,
          ],
          [
            t('console.people.money'),
            <Num key="money">
              {appeal.deal_money} {appeal.coin_code}
            </Num>,
          ],
          [t('console.appeals.openedBy'), t(`console.appeals.${appeal.opened_by}`)],
          [
            t('console.appeals.reason'),
            <span key="reason" {...PERSONAL_TEXT}>
              {appeal.reason}
            </span>,
          ],
          [t('console.appeals.assigned'), appeal.assigned_to === 0 ? '–' : String(appeal.assigned_to)],
          [t('console.appeals.due'), <When key="due" time={appeal.decision_due} />],
          ...(appeal.decision === ''
            ? []
            : ([
                [
                  t('console.appeals.decision'),
                  <span key="words" {...PERSONAL_TEXT}>
                    {appeal.decision}
                  </span>,
                ],
                [t('console.appeals.decidedBy'), String(appeal.decided_by)],
              ] as const)),
        ]}
      />
    </Section>
  );
}

function HappeningLine({ what }: { what: Happening }) {
  const { t } = useTranslation();
  const who =
    what.kind === 'step'
      ? t('console.appeals.step')
      : what.kind === 'note'
        ? t('console.appeals.noteOf', { id: what.operator })
        : t('console.appeals.evidenceOf', { who: what.by });
  return (
    <li className="flex min-w-0 flex-col gap-1 border-s-2 border-line-strong ps-3">
      <p className="flex flex-wrap justify-between gap-2 text-label text-t2">
        <span>{who}</span>
        <When time={what.time} />
      </p>
      {what.text !== '' && (
        <p className="break-words whitespace-pre-wrap" {...PERSONAL_TEXT}>
          {what.text}
        </p>
      )}
      {what.kind === 'evidence' && what.url !== '' && (
        <Picture src={what.url} label={who} className="w-full max-w-[20rem]" />
      )}
    </li>
  );
}

/** A line of the chat with its speaker by name, since an operator is neither side. */
function Said({ line: { from, text, image, create_time: at } }: { line: ChatLine }) {
  const { t } = useTranslation();
  const places = { buyer: 'me-auto', seller: 'ms-auto', support: 'mx-auto', system: 'mx-auto' } as const;
  return (
    <li
      className={cx('flex max-w-[90%] flex-col gap-1 rounded-panel border border-line bg-bg2 px-3 py-2', places[from])}
    >
      <p className="flex flex-wrap justify-between gap-3 text-label text-t2">
        <span className="font-medium">{t(`console.appeals.${from}`)}</span>
        <When time={at} />
      </p>
      {text !== '' && (
        <p className="break-words whitespace-pre-wrap" {...PERSONAL_TEXT}>
          {text}
        </p>
      )}
      {image !== '' && <Picture src={image} label={t(`console.appeals.${from}`)} className="w-60 max-w-full" />}
    </li>
  );
}

/** Saves the signed transcript of the deal, which both sides can download too. */
function TranscriptButton({ deal }: { deal: string }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const page = await api.file('/api/admin/c2c_orders/transcript', { id: deal }, 'text/html');
      saveBlob(`deal-${deal}.html`, page);
    } catch (failure) {
      console.warn('the transcript did not come', failure);
      const reason = failure instanceof ApiError ? failure.message : t('common.loadFailed');
      toastError(t('console.appeals.transcriptFailed', { reason }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="small" busy={busy} onClick={() => void save()}>
      <Download size={14} aria-hidden />
      {t('console.appeals.transcript')}
    </Button>
  );
}

type Act = 'note' | 'assign' | 'buyer' | 'seller';
function Acts({ appeal }: { appeal: AppealFile }) {
  const { t } = useTranslation();
  const [act, setAct] = useState<Act | null>(null);
  const mayDecide = useMay('finance');
  const close = (): void => setAct(null);
  const fresh = [`${PATH}/${appeal.id}`, PATH, '/api/admin/dashboard'];
  const winner = act === 'buyer' || act === 'seller' ? act : null;
  const isOpen = appeal.state === 1;
  return (
    <div className="flex flex-wrap gap-2">
      <TranscriptButton deal={appeal.deal_id} />
      <Button size="small" onClick={() => setAct('note')}>
        {t('console.appeals.note')}
      </Button>
      {isOpen && (
        <>
          <Button size="small" onClick={() => setAct('assign')}>
            {t('console.appeals.assign')}
          </Button>
          {mayDecide &&
            (['buyer', 'seller'] as const).map((side) => (
              <Button key={side} size="small" kind="primary" onClick={() => setAct(side)}>
                {t(side === 'buyer' ? 'console.appeals.forBuyer' : 'console.appeals.forSeller')}
              </Button>
            ))}
        </>
      )}
      {act === 'note' && (
        <ActDialog
          open
          onClose={close}
          title={t('console.appeals.note')}
          explain={t('console.appeals.noteExplain')}
          fields={[
            { name: 'text', label: t('console.appeals.noteText'), kind: 'long', required: true },
            { name: 'shown', label: t('console.appeals.noteShown'), kind: 'flag' },
          ]}
          action={t('console.appeals.note')}
          path={`${PATH}/note`}
          body={{ id: appeal.id }}
          invalidate={fresh}
        />
      )}
      {act === 'assign' && (
        <ActDialog
          open
          onClose={close}
          title={t('console.appeals.assign')}
          explain={t('console.appeals.assignExplain')}
          action={t('console.appeals.assign')}
          path={`${PATH}/assign`}
          body={{ id: appeal.id }}
          invalidate={fresh}
        />
      )}
      {winner && (
        <ActDialog
          open
          onClose={close}
          title={t(winner === 'buyer' ? 'console.appeals.forBuyer' : 'console.appeals.forSeller')}
          explain={t(winner === 'buyer' ? 'console.appeals.forBuyerExplain' : 'console.appeals.forSellerExplain', {
            number: `${appeal.number} ${appeal.currency_name}`,
          })}
          danger
          action={t(winner === 'buyer' ? 'console.appeals.forBuyer' : 'console.appeals.forSeller')}
          path={`${PATH}/decide`}
          body={{ id: appeal.id, outcome: winner }}
          invalidate={fresh}
        />
      )}
    </div>
  );
}
