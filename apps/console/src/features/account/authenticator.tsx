import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TotpSetup } from '@bourse/contract';
import { Badge, Button } from '@bourse/ui';
import { readMe, useOperator } from '../../core/operator.js';
import { ActDialog } from '../../parts/act-dialog.js';
import { Facts, Section } from '../../parts/detail.js';
import { TotpSecret } from '../../parts/totp-secret.js';

/** The operator's own authenticator: whether it is on, and the way to a first or another one. */
export function Authenticator() {
  const { t } = useTranslation();
  const me = useOperator((operator) => operator.me);
  const [asking, setAsking] = useState(false);
  const [made, setMade] = useState<TotpSetup | null>(null);
  const on = me?.totp === 1;
  const name = t(on ? 'account.totpReplace' : 'account.totpSetUp');
  const reason = { reason: t('account.totpReason') };
  return (
    <Section title={t('account.totpTitle')} actions={me && <Button onClick={() => setAsking(true)}>{name}</Button>}>
      <Facts
        rows={[
          [
            t('console.people.state'),
            me && <Badge tone={on ? 'up' : 'warn'}>{t(on ? 'account.totpOn' : 'account.totpOff')}</Badge>,
          ],
        ]}
      />
      <ActDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={name}
        explain={t('account.totpAsk')}
        fields={[
          { name: 'password', label: t('signIn.password'), kind: 'password', required: true },
          ...(on ? [{ name: 'totp_code', label: t('signIn.code'), kind: 'text', required: true } as const] : []),
        ]}
        initial={reason}
        action={name}
        path="/api/admin/totp_setup"
        done={({ message }) => setMade(message as TotpSetup)}
      />
      <ActDialog
        open={made !== null}
        onClose={() => setMade(null)}
        title={t('account.totpConfirm')}
        explain={made && <TotpSecret setup={made} lead={t('account.totpScan')} />}
        fields={[{ name: 'totp_code', label: t('signIn.code'), kind: 'text', required: true }]}
        initial={reason}
        action={t('account.totpConfirm')}
        path="/api/admin/totp_enable"
        done={() => void readMe().catch((error: unknown) => console.warn('operator not read', error))}
      />
    </Section>
  );
}
