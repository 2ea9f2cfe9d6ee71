import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, Button, Num, Panel, PERSONAL_TEXT } from '@bourse/ui';
import { ActDialog } from '../../../parts/act-dialog.js';
import { Facts } from '../../../parts/detail.js';
import { PersonLink, PersonLinks } from '../../../parts/person-link.js';
import { PICTURE_KEYS, viewAfter, WHOLE, type PictureAct } from '../../../parts/picture-view.js';
import { Picture } from '../../../parts/picture.js';
import { usePageKeys } from '../../../parts/use-page-keys.js';
import { When } from '../../../parts/when.js';
import { PAPERS_PATH, STATES, type Papers, type PapersState } from '../model/queue.js';

interface CaseProps {
  readonly papers: Papers;
  readonly onDecided?: () => void;
  /** Moves through the list; absent for a single case. */
  readonly step?: (by: 1 | -1) => () => void;
}
/** One case. Zoom and rotation apply to all its pictures, so that they stay comparable. */
export function Case({ papers, onDecided, step }: CaseProps) {
  const { t } = useTranslation();
  const [view, setView] = useState(WHOLE);
  const [deciding, setDeciding] = useState<'pass' | 'refuse' | null>(null);
  const act = (what: PictureAct): void => setView((before) => viewAfter(before, what));
  const waits = papers.review_status === 1;
  const decide = (what: 'pass' | 'refuse') => (waits ? () => setDeciding(what) : undefined);
  usePageKeys({
    ...Object.fromEntries(Object.entries(PICTURE_KEYS).map(([key, what]) => [key, () => act(what)])),
    p: decide('pass'),
    r: decide('refuse'),
  });
  const pictures = [
    [papers.front_pic, 'console.kyc.front'],
    [papers.reverse_pic, 'console.kyc.reverse'],
    [papers.hand_pic, 'console.kyc.hand'],
  ] as const;
  return (
    <Panel label={t('console.kyc.case')} className="flex flex-col gap-4 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="min-w-0 text-title font-semibold break-words" {...PERSONAL_TEXT}>
          {papers.name}
        </h2>
        <div className="flex flex-wrap gap-2">
          {step && (
            <>
              <Button size="small" onClick={step(-1)}>
                {t('console.kyc.previous')} <Key>K</Key>
              </Button>
              <Button size="small" onClick={step(1)}>
                {t('console.kyc.next')} <Key>J</Key>
              </Button>
            </>
          )}
          {waits && (
            <>
              <Button size="small" kind="primary" onClick={() => setDeciding('pass')}>
                {t('console.kyc.pass')} <Key>P</Key>
              </Button>
              <Button size="small" kind="danger" onClick={() => setDeciding('refuse')}>
                {t('console.kyc.refuse')} <Key>R</Key>
              </Button>
            </>
          )}
        </div>
      </div>
      <div className="grid min-w-0 gap-4 xl:grid-cols-[18rem_minmax(0,1fr)]">
        <div className="flex flex-col gap-3">
          <WrittenFacts papers={papers} />
          <p className="text-label text-t2">{t('console.kyc.keys')}</p>
        </div>
        <div className="grid min-w-0 gap-3 md:grid-cols-2 2xl:grid-cols-3">
          {pictures.map(([src, label]) => (
            <Picture key={label} src={src} label={t(label)} view={view} onAct={act} />
          ))}
        </div>
      </div>
      <Decision papers={papers} deciding={deciding} onClose={() => setDeciding(null)} onDecided={onDecided} />
    </Panel>
  );
}

function WrittenFacts({ papers }: { papers: Papers }) {
  const { t } = useTranslation();
  const state = String(papers.review_status) as PapersState;
  return (
    <Facts
      rows={[
        [t('console.people.state'), <Badge key="state">{t(STATES[state])}</Badge>],
        [t('console.people.person'), <PersonLink key="person" id={papers.user_id} />],
        [
          t('console.kyc.name'),
          <span key="name" {...PERSONAL_TEXT}>
            {papers.name}
          </span>,
        ],
        [t('console.kyc.card'), <Num key="card">{papers.card_id}</Num>],
        ...(papers.same_card.length === 0
          ? []
          : ([[t('console.kyc.sameCard'), <PersonLinks key="same" ids={papers.same_card} />]] as const)),
        [t('console.people.nationality'), papers.nationality],
        [t('console.people.email'), papers.email],
        [t('console.people.phone'), <Num key="phone">{papers.phone}</Num>],
        [t('console.kyc.submitted'), <When key="submitted" time={papers.submitted_at} />],
        ...(papers.decided_at === ''
          ? []
          : ([[t('console.kyc.decided'), <When key="decided" time={papers.decided_at} />]] as const)),
        ...(papers.review_reason === '' ? [] : ([[t('console.kyc.reason'), papers.review_reason]] as const)),
      ]}
    />
  );
}

interface DecisionProps {
  readonly papers: Papers;
  readonly deciding: 'pass' | 'refuse' | null;
  readonly onClose: () => void;
  readonly onDecided: (() => void) | undefined;
}
function Decision({ papers: { user_id: id, name, submitted_at }, deciding, onClose, onDecided }: DecisionProps) {
  const { t } = useTranslation();
  const pass = deciding === 'pass';
  return (
    <ActDialog
      open={deciding !== null}
      onClose={onClose}
      title={t(pass ? 'console.kyc.passTitle' : 'console.kyc.refuseTitle', { name })}
      explain={t(pass ? 'console.kyc.passExplain' : 'console.kyc.refuseExplain')}
      danger={!pass}
      action={t(pass ? 'console.kyc.pass' : 'console.kyc.refuse')}
      path="/api/admin/kyc/decide"
      body={{ user_id: id, pass: pass ? 1 : 0, submitted_at }}
      invalidate={[PAPERS_PATH, '/api/admin/users', '/api/admin/dashboard']}
      {...(onDecided === undefined ? {} : { done: onDecided })}
    />
  );
}

const Key = ({ children }: { children: string }) => (
  <kbd aria-hidden className="rounded-chip border border-line-strong px-1 font-mono text-label">
    {children}
  </kbd>
);
