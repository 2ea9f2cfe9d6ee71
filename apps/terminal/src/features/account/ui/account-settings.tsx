import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, masked, Num, Skeleton } from '@bourse/ui';
import { CopyButton } from '../../../parts/copy-button.js';
import { useSession } from '../../../core/session.js';
import { IDENTITY_TEXTS, inviteLink } from '../model/security.js';
import { ApiKeys } from './api-keys.js';
import { AuthorizationCode } from './authorization-code.js';
import { Passkeys } from './passkeys.js';
import { ActionLink, PageTitle, Section, SettingRow, State } from './parts.js';
import { SecurityLevel } from './security-level.js';
import { Sessions } from './sessions.js';
import { useCenter } from './use-center.js';

const TotpDialog = lazy(() => import('./totp-dialog.js'));
const WordDialog = lazy(() => import('./word-dialog.js'));
const FreezeDialog = lazy(() => import('./freeze-dialog.js'));

/** Everything about the account itself: how safe it is, who may get in, and how. */
export default function AccountSettings() {
  const { t } = useTranslation();
  const info = useSession((session) => session.info);
  const center = useCenter();
  const [open, setOpen] = useState<'totp' | 'word' | 'freeze'>();
  const close = (): void => setOpen(undefined);
  if (!info)
    return (
      <>
        <PageTitle>{t('nav.accountSet')}</PageTitle>
        <div className="flex flex-col gap-4" aria-busy="true">
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-56 w-full" />
          <Skeleton className="h-72 w-full" />
        </div>
      </>
    );
  const identity = center.data?.review_status;
  return (
    <>
      <PageTitle>{t('nav.accountSet')}</PageTitle>
      <div className="flex flex-col gap-4">
        <SecurityLevel
          info={info}
          center={center.data}
          failed={center.isError && !center.data}
          retry={() => void center.refetch()}
        />

        <Section title={t('security.accountPart')}>
          <SettingRow title={t('nav.uid')} note={<Num className="text-body">{info.id}</Num>}>
            <CopyButton text={String(info.id)} what={t('nav.uid')} />
          </SettingRow>
          <SettingRow
            title={t('security.invite')}
            note={
              <>
                <Num className="text-body">{info.extension_code}</Num> · {t('security.inviteNote')}
              </>
            }
          >
            <CopyButton text={inviteLink(window.location.origin, info.extension_code)} what={t('security.invite')}>
              {t('security.copyLink')}
            </CopyButton>
          </SettingRow>
          <AuthorizationCode />
        </Section>

        <Section title={t('security.signInPart')}>
          <SettingRow
            title={t('account.email')}
            note={info.email ? <Num>{masked(info.email)}</Num> : <State good={false}>{t('security.notBound')}</State>}
          >
            <ActionLink to="/bindEmail" what={t('account.email')}>
              {t(info.email ? 'security.change' : 'security.bind')}
            </ActionLink>
          </SettingRow>
          <SettingRow
            title={t('account.phone')}
            note={
              info.phone ? (
                <Num>{`${info.area_code ? `+${info.area_code.replace(/\D/g, '')} ` : ''}${masked(info.phone)}`}</Num>
              ) : (
                <State good={false}>{t('security.notBound')}</State>
              )
            }
          >
            <ActionLink to="/bindPhone" what={t('account.phone')}>
              {t(info.phone ? 'security.change' : 'security.bind')}
            </ActionLink>
          </SettingRow>
          <SettingRow title={t('security.loginPassword')} note={t('account.forgetNote')}>
            <ActionLink to="/forgetPwd?fromSet=1" what={t('security.loginPassword')}>
              {t('security.reset')}
            </ActionLink>
          </SettingRow>
          <SettingRow
            title={t('account.fundPassword')}
            note={
              info.has_fund_password === 1 ? (
                <State good>{t('security.isSet')}</State>
              ) : (
                <State good={false}>{t('security.fundMissing')}</State>
              )
            }
          >
            <ActionLink to="/bindmpwd" what={t('account.fundPassword')}>
              {t(info.has_fund_password === 1 ? 'security.reset' : 'security.set')}
            </ActionLink>
          </SettingRow>
          <SettingRow
            title={t('security.totp')}
            note={
              <>
                {info.totp === 1 ? (
                  <State good>{t('security.on')}</State>
                ) : (
                  <State good={false}>{t('security.off')}</State>
                )}{' '}
                · {t('security.totpNote')}
              </>
            }
          >
            <Button
              size="small"
              aria-label={`${t(info.totp === 1 ? 'security.switchOff' : 'security.switchOn')}: ${t('security.totp')}`}
              onClick={() => setOpen('totp')}
            >
              {t(info.totp === 1 ? 'security.switchOff' : 'security.switchOn')}
            </Button>
          </SettingRow>
          <SettingRow title={t('security.word')} note={t('security.wordNote')}>
            <Button
              size="small"
              aria-label={`${t('security.set')}: ${t('security.word')}`}
              onClick={() => setOpen('word')}
            >
              {t('security.set')}
            </Button>
          </SettingRow>
        </Section>

        <Section title={t('security.identityPart')}>
          <SettingRow
            title={t('nav.identity')}
            note={identity !== undefined && <State good={identity === 2}>{t(IDENTITY_TEXTS[identity])}</State>}
          >
            <ActionLink to="/account/authentication" what={t('nav.identity')}>
              {t(identity === 0 ? 'security.start' : 'security.view')}
            </ActionLink>
          </SettingRow>
          <SettingRow
            title={t('nav.bank')}
            note={
              center.data && (
                <State good={center.data.cashinfo_status === 1}>
                  {t(center.data.cashinfo_status === 1 ? 'security.bound' : 'security.notBound')}
                </State>
              )
            }
          >
            <ActionLink to="/account/bankAuthentication" what={t('nav.bank')}>
              {t(center.data?.cashinfo_status === 1 ? 'security.view' : 'security.bind')}
            </ActionLink>
          </SettingRow>
          <SettingRow title={t('nav.payment')} note={t('security.paymentNote')}>
            <ActionLink to="/userSetting" what={t('nav.payment')}>
              {t('security.view')}
            </ActionLink>
          </SettingRow>
        </Section>

        <Passkeys />
        <Sessions />
        <ApiKeys hasFundPassword={info.has_fund_password === 1} />

        <Section title={t('security.freeze')}>
          <SettingRow title={t('security.freezeTitle')} note={t('security.freezeNote')}>
            <Button kind="danger" onClick={() => setOpen('freeze')}>
              {t('security.freezeButton')}
            </Button>
          </SettingRow>
        </Section>
      </div>
      <Suspense fallback={null}>
        {open === 'totp' && <TotpDialog enabled={info.totp === 1} onClose={close} />}
        {open === 'word' && <WordDialog onClose={close} />}
        {open === 'freeze' && <FreezeDialog onClose={close} />}
      </Suspense>
    </>
  );
}
