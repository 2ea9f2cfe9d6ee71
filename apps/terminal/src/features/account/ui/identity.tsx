import { CircleCheck, Clock3 } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Center } from '@bourse/contract';
import { Button, Field, Num, Panel, Skeleton } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { loadInfo } from '../../../core/session.js';
import { toastDone } from '@bourse/web';
import { useWayBack } from '../../../core/way-back.js';
import { FormError } from '../../../forms/form-card.js';
import { useForm } from '../../../forms/use-form.js';
import { KEYS, sendIdentity } from '../api/account.js';
import { identityProblems } from '../model/forms.js';
import { NO_PHOTO, photoUrl } from '../../../parts/photo.js';
import { Failed } from '../../../parts/failed.js';
import { PageTitle } from './parts.js';
import { PhotoField } from '../../../parts/photo-field.js';
import { useCenter } from './use-center.js';

/**
 * The person's identity: the form while there is none, then how its check stands; a refusal tells its reason above the
 * form.
 */
export default function Identity() {
  const { t } = useTranslation();
  const center = useCenter();
  return (
    <>
      <PageTitle lead={center.data?.review_status === 0 ? t('identity.noneText') : undefined}>
        {t('nav.identity')}
      </PageTitle>
      {center.data ? (
        center.data.review_status === 0 ? (
          <IdentityForm reason={center.data.review_reason} />
        ) : (
          <ReviewStatus center={center.data} />
        )
      ) : center.isError ? (
        <Panel>
          <Failed retry={() => void center.refetch()} />
        </Panel>
      ) : (
        <Panel className="flex flex-col gap-4 p-4">
          <Skeleton className="h-16 w-full" />
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-48 w-full" />
        </Panel>
      )}
    </>
  );
}

function ReviewStatus({ center }: { center: Center }) {
  const { t } = useTranslation();
  const { known, goBack } = useWayBack('/account/accountSet');
  const certified = center.review_status === 2;
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <p className="flex items-center gap-2 text-title font-medium">
        {certified ? (
          <CircleCheck size={20} aria-hidden className="text-up" />
        ) : (
          <Clock3 size={20} aria-hidden className="text-info" />
        )}
        {t(certified ? 'identity.certified' : 'identity.review')}
      </p>
      <p className="max-w-prose text-t2">{t(certified ? 'identity.certifiedText' : 'identity.reviewText')}</p>
      {center.name !== '' && (
        <dl className="grid max-w-prose grid-cols-[auto_1fr] gap-x-6 gap-y-1">
          <dt className="text-t2">{t('identity.name')}</dt>
          <dd>
            <bdi>{center.name}</bdi>
          </dd>
          <dt className="text-t2">{t('identity.card')}</dt>
          <dd>
            <Num>{center.card_id}</Num>
          </dd>
        </dl>
      )}
      {known && (
        <div>
          <Button onClick={() => void goBack()}>{t('common.back')}</Button>
        </div>
      )}
    </Panel>
  );
}

function IdentityForm({ reason }: { reason: string }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [card, setCard] = useState('');
  const [front, setFront] = useState(NO_PHOTO);
  const [back, setBack] = useState(NO_PHOTO);
  const [hand, setHand] = useState(NO_PHOTO);
  const problems = identityProblems({ name, card, front, back, hand });
  const { shown, busy, refusal, submit } = useForm(problems, async () => {
    await sendIdentity(api, {
      name: name.trim(),
      card: card.trim(),
      front: photoUrl(front),
      back: photoUrl(back),
      hand: photoUrl(hand),
    });
    toastDone(t('identity.sent'));
    await Promise.all([queryClient.invalidateQueries({ queryKey: KEYS.center }), loadInfo()]);
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4 rounded-panel border border-line bg-bg1 p-4">
      {reason !== '' && (
        <div role="note" className="rounded-panel border border-warn px-3 py-2">
          <p className="font-medium text-warn">⚠ {t('identity.refused')}</p>
          <p className="text-t2">
            <bdi>{reason}</bdi>
          </p>
        </div>
      )}
      <div className="grid gap-4 md:grid-cols-2">
        <Field
          name="name"
          label={t('identity.name')}
          value={name}
          maxLength={100}
          autoComplete="name"
          error={shown(problems.name)}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          name="card_id"
          label={t('identity.card')}
          value={card}
          maxLength={40}
          dir="ltr"
          autoComplete="off"
          error={shown(problems.card)}
          onChange={(event) => setCard(event.target.value)}
        />
      </div>
      <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        <PhotoField
          scene="kyc"
          label={t('identity.front')}
          photo={front}
          onPhoto={setFront}
          error={shown(problems.front)}
        />
        <PhotoField
          scene="kyc"
          label={t('identity.back')}
          photo={back}
          onPhoto={setBack}
          error={shown(problems.back)}
        />
        <PhotoField
          scene="kyc"
          label={t('identity.hand')}
          hint={t('identity.handHint')}
          photo={hand}
          onPhoto={setHand}
          error={shown(problems.hand)}
        />
      </div>
      <p className="text-table text-t2">{t('identity.private')}</p>
      <FormError>{refusal}</FormError>
      <div>
        <Button kind="primary" size="main" type="submit" busy={busy} className="max-md:w-full">
          {t('identity.send')}
        </Button>
      </div>
    </form>
  );
}
