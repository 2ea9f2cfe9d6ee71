import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, Button } from '@bourse/ui';
import { useOperator } from '../../core/operator.js';
import { ActDialog } from '../../parts/act-dialog.js';
import { Facts, PageHead, Section } from '../../parts/detail.js';
import { Authenticator } from './authenticator.js';

/** The operator's own account: the password, by the old one and the authenticator, and the authenticator. */
export default function Account() {
  const { t } = useTranslation();
  const me = useOperator((operator) => operator.me);
  const [open, setOpen] = useState(false);
  return (
    <>
      <PageHead title={t('place.account')} />
      <Section
        title={t('signIn.password')}
        actions={<Button onClick={() => setOpen(true)}>{t('account.changePassword')}</Button>}
      >
        <Facts
          rows={[
            [t('operator.name'), me?.username],
            [t('operator.role'), me?.roles.map((role) => <Badge key={role}>{t(`role.${role}`)}</Badge>)],
          ]}
        />
      </Section>
      <Authenticator />
      <ActDialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('account.changePassword')}
        explain={t('account.explain')}
        fields={[
          { name: 'password', label: t('account.oldPassword'), kind: 'password', required: true },
          {
            name: 'new_password',
            label: t('operator.newPassword'),
            kind: 'password',
            required: true,
            hint: t('operator.passwordHint'),
          },
          { name: 'totp_code', label: t('signIn.code'), kind: 'text', hint: t('signIn.codeHint') },
        ]}
        action={t('account.changePassword')}
        path="/api/admin/password"
      />
    </>
  );
}
