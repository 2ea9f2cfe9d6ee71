import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Complaint, ComplaintMessage } from '@bourse/contract';
import { Badge, Button, cx, Empty, Num, Panel, PERSONAL_TEXT, Skeleton } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { feed } from '../../../core/feed.js';
import { isRefusal, toastDone, useSubmission } from '@bourse/web';
import { FormError } from '../../../forms/form-card.js';
import { LongText } from '../../../forms/long-text.js';
import { useForm } from '../../../forms/use-form.js';
import { Failed } from '../../../parts/failed.js';
import { Note } from '../../../parts/note.js';
import type { Photo } from '../../../parts/photo.js';
import { Time } from '../../../parts/time.js';
import { closeComplaint, COMPLAINTS, readComplaint, reply } from '../api/complaints.js';
import { complaintProblems, sentImages, sentText, TEXT_MAX } from '../model/complaint.js';
import { KIND_TEXTS, STATES } from './kinds.js';
import { Pictures } from './pictures.js';

/** Signed addresses of pictures are good for five minutes. */
const REFRESH_MS = 240_000;

/** One complaint from its first word to the last, and the way to reply and to close it. */
export function ComplaintThread({ id }: { id: string }) {
  const { t } = useTranslation();
  const isId = /^[1-9]\d{0,14}$/.test(id);
  const thread = useQuery({
    queryKey: [...COMPLAINTS, 'one', id],
    queryFn: () => readComplaint(api, Number(id)),
    enabled: isId,
    refetchInterval: REFRESH_MS,
  });
  useEffect(
    // A notice announces an answer: the open thread reads it at once.
    () => feed.on('notice', () => void queryClient.invalidateQueries({ queryKey: COMPLAINTS })),
    [],
  );
  const read = thread.data?.id;
  useEffect(() => {
    if (read !== undefined) void queryClient.invalidateQueries({ queryKey: [...COMPLAINTS, 'list'] });
  }, [read]);
  const back = (
    <Link to="/complaints" className="w-fit text-table underline hover:text-t1">
      {t('complaints.back')}
    </Link>
  );
  if (!isId || isRefusal(thread.error)) return <Empty action={back}>{t('complaints.gone')}</Empty>;
  if (thread.isError && !thread.data) return <Failed retry={() => void thread.refetch()} />;
  if (!thread.data) return <Skeleton className="h-60 w-full" />;
  return (
    <div className="flex max-w-[44rem] flex-col gap-4">
      {back}
      <Head complaint={thread.data} />
      <ol className="flex flex-col gap-3" aria-label={t('nav.complaints')}>
        {thread.data.messages?.map((message, at) => (
          <Said key={at} message={message} />
        ))}
      </ol>
      {thread.data.state === 'closed' && <Note>{t('complaints.closedNote')}</Note>}
      <Reply key={id} complaint={thread.data} />
    </div>
  );
}

function Head({ complaint }: { complaint: Complaint }) {
  const { t } = useTranslation();
  const { text, tone } = STATES[complaint.state];
  return (
    <div className="flex flex-col gap-1">
      <h1 className="break-words text-last font-semibold" {...PERSONAL_TEXT}>
        {complaint.subject}
      </h1>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table text-t2">
        <Badge tone={tone}>{t(text)}</Badge>
        <span>
          {t(KIND_TEXTS[complaint.kind])} {complaint.about !== '' && <Num>{complaint.about}</Num>}
        </span>
        <Time>{complaint.create_time}</Time>
      </p>
    </div>
  );
}

function Said({ message }: { message: ComplaintMessage }) {
  const { t } = useTranslation();
  const mine = message.from === 'me';
  return (
    <li>
      <Panel className={cx('flex flex-col gap-2 p-3', mine ? 'ms-4 md:ms-12' : 'me-4 md:me-12')}>
        <p className="flex flex-wrap justify-between gap-2 text-table text-t2">
          <span className="font-medium">{t(mine ? 'complaints.you' : 'nav.support')}</span>
          <Time>{message.create_time}</Time>
        </p>
        <p className="break-words" {...PERSONAL_TEXT}>
          {message.text}
        </p>
        {message.images.length > 0 && (
          <div className="flex flex-wrap gap-2">
            {message.images.map((src, at) => (
              <a key={at} href={src} target="_blank" rel="noreferrer noopener" className="rounded-panel">
                <img
                  src={src}
                  alt={`${t('complaints.picture')} ${at + 1}`}
                  className="h-24 w-32 rounded-panel border border-line object-cover"
                />
              </a>
            ))}
          </div>
        )}
      </Panel>
    </li>
  );
}

function Reply({ complaint: { id, state } }: { complaint: Complaint }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [photos, setPhotos] = useState<readonly Photo[]>([]);
  const problems = complaintProblems({ text, photos });
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: COMPLAINTS });
  const form = useForm(problems, async () => {
    toastDone(await reply(api, { id, text: sentText(text), ...sentImages(photos) }));
    setText('');
    setPhotos([]);
    await refresh();
    return 'stay';
  });
  const closing = useSubmission();
  const close = (): void =>
    void closing.run(async () => {
      toastDone(await closeComplaint(api, id));
      await refresh();
    });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void form.submit();
  };
  return (
    <form noValidate onSubmit={submit} aria-label={t('complaints.reply')} className="flex flex-col gap-3">
      <LongText
        label={t('complaints.reply')}
        max={TEXT_MAX}
        value={text}
        onChange={setText}
        error={form.shown(problems.text)}
      />
      <Pictures photos={photos} onPhotos={setPhotos} error={form.shown(problems.photos)} />
      <FormError>{form.refusal ?? closing.refusal}</FormError>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={form.busy}>
          {t('complaints.sendReply')}
        </Button>
        {state !== 'closed' && (
          <Button busy={closing.busy} onClick={close}>
            {t('complaints.close')}
          </Button>
        )}
      </div>
    </form>
  );
}
