import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import type { ComplaintMessage } from '@bourse/contract';
import { Badge, Button, cx, Num, PERSONAL_TEXT, Skeleton } from '@bourse/ui';
import { useAdminQuery } from '../../../core/calls.js';
import { ActDialog } from '../../../parts/act-dialog.js';
import { Facts, Section } from '../../../parts/detail.js';
import { Failed } from '../../../parts/failed.js';
import { PersonLink } from '../../../parts/person-link.js';
import { Picture } from '../../../parts/picture.js';
import { When } from '../../../parts/when.js';
import { COMPLAINT_TONES } from '../model/complaint.js';

const PATH = '/api/admin/complaints';
/** Signed addresses of pictures expire after five minutes. */
const REFRESH_MS = 240_000;

/** One complaint with all its messages and pictures, and the acts that answer and close it. */
export default function ComplaintPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const [act, setAct] = useState<'answer' | 'close' | null>(null);
  const thread = useAdminQuery(`${PATH}/${encodeURIComponent(id)}`, {}, { everyMs: REFRESH_MS });
  if (thread.isPending) return <Skeleton className="h-80 w-full" />;
  if (!thread.data) return <Failed error={thread.error} retry={() => void thread.refetch()} />;
  const complaint = thread.data;
  const fresh = [`${PATH}/${complaint.id}`, PATH, '/api/admin/dashboard'];
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Link to="/complaints" className="w-fit text-table underline hover:text-t2">
        {t('console.complaints.back')}
      </Link>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-1">
          <h1 className="text-last font-semibold break-words" {...PERSONAL_TEXT}>
            {complaint.subject}
          </h1>
          <Badge tone={COMPLAINT_TONES[complaint.state]} className="w-fit">
            {t(`console.complaints.is.${complaint.state}`)}
          </Badge>
        </div>
        {complaint.state !== 'closed' && (
          <div className="flex flex-wrap gap-2">
            <Button size="small" kind="primary" onClick={() => setAct('answer')}>
              {t('console.complaints.answer')}
            </Button>
            <Button size="small" onClick={() => setAct('close')}>
              {t('console.complaints.close')}
            </Button>
          </div>
        )}
      </header>
      <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <Section title={t('console.complaints.about')}>
          <Facts
            rows={[
              [t('console.people.id'), <Num key="id">{complaint.id}</Num>],
              [t('console.people.person'), <PersonLink key="person" id={complaint.user_id} />],
              [t('console.users.language'), complaint.lang],
              [t('console.people.kind'), t(`console.complaints.kind.${complaint.kind}`)],
              [t('console.complaints.number'), complaint.about === '' ? '–' : <Num key="no">{complaint.about}</Num>],
              [t('console.people.time'), <When key="time" time={complaint.create_time} />],
              [t('console.complaints.moved'), <When key="moved" time={complaint.update_time} />],
            ]}
          />
        </Section>
        <Section title={t('console.complaints.thread')}>
          <ol className="flex flex-col gap-3">
            {complaint.messages?.map((message, at) => (
              <Said key={at} message={message} />
            ))}
          </ol>
        </Section>
      </div>
      {act === 'answer' && (
        <ActDialog
          open
          onClose={() => setAct(null)}
          title={t('console.complaints.answer')}
          explain={t('console.complaints.answerExplain', { lang: complaint.lang })}
          fields={[{ name: 'text', label: t('console.complaints.text'), kind: 'long', required: true }]}
          action={t('console.complaints.answer')}
          path={`${PATH}/answer`}
          body={{ id: complaint.id }}
          invalidate={fresh}
        />
      )}
      {act === 'close' && (
        <ActDialog
          open
          onClose={() => setAct(null)}
          title={t('console.complaints.close')}
          explain={t('console.complaints.closeExplain')}
          action={t('console.complaints.close')}
          path={`${PATH}/close`}
          body={{ id: complaint.id }}
          invalidate={fresh}
        />
      )}
    </div>
  );
}

function Said({ message: { from, text, images, create_time: at } }: { message: ComplaintMessage }) {
  const { t } = useTranslation();
  return (
    <li
      className={cx(
        'flex min-w-0 flex-col gap-2 rounded-panel border border-line bg-bg2 p-3',
        from === 'support' ? 'ms-4 md:ms-12' : 'me-4 md:me-12',
      )}
    >
      <p className="flex flex-wrap justify-between gap-2 text-label text-t2">
        <span className="font-medium">
          {t(from === 'support' ? 'console.appeals.support' : 'console.people.person')}
        </span>
        <When time={at} />
      </p>
      <p className="break-words whitespace-pre-wrap" {...PERSONAL_TEXT}>
        {text}
      </p>
      {images.length > 0 && (
        <div className="grid gap-3 md:grid-cols-2">
          {images.map((src, number) => (
            <Picture
              key={number}
              src={src}
              label={`${t('console.complaints.picture')} ${number + 1}`}
              className="max-w-[24rem]"
            />
          ))}
        </div>
      )}
    </li>
  );
}
