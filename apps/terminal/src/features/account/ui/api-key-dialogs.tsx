import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiKeyPermissions, ApiKeyRow } from '@bourse/contract';
import { Button, cx, Dialog, Field, Num } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { toastDone } from '@bourse/web';
import { CopyButton } from '../../../parts/copy-button.js';
import { PasswordField } from '../../../forms/password-field.js';
import { useForm } from '../../../forms/use-form.js';
import { createKey, deleteKey, KEYS } from '../api/account.js';
import { addressList, keyProblems } from '../model/forms.js';
import { FormDialog } from '../../../forms/form-dialog.js';

const PERMISSIONS: readonly { value: ApiKeyPermissions; text: string }[] = [
  { value: 'read', text: 'apiKey.read' },
  { value: 'read,trade', text: 'apiKey.readTrade' },
];

/** A new key; its secret is shown once, and only closing this dialog takes it away. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [label, setLabel] = useState('');
  const [permissions, setPermissions] = useState<ApiKeyPermissions>('read');
  const [addresses, setAddresses] = useState('');
  const [password, setPassword] = useState('');
  const [made, setMade] = useState<{ key: string; secret: string }>();
  const problems = keyProblems({ label, addresses, password });
  const submission = useForm(problems, async () => {
    setMade(await createKey(api, { label: label.trim(), permissions, addresses: addressList(addresses), password }));
    await queryClient.invalidateQueries({ queryKey: KEYS.apiKeys });
  });
  if (made) {
    return (
      <Dialog
        open
        title={t('apiKey.madeTitle')}
        description={t('apiKey.madeText')}
        closeLabel={t('common.close')}
        actions={
          <Button kind="primary" onClick={onClose}>
            {t('apiKey.kept')}
          </Button>
        }
      >
        {(
          [
            ['key', made.key],
            ['secret', made.secret],
          ] as const
        ).map(([name, value]) => (
          <div key={name} className="flex flex-col gap-1">
            <div className="flex items-center justify-between gap-2">
              <span className="text-table text-t2">{t(`apiKey.${name}`)}</span>
              <CopyButton text={value} what={t(`apiKey.${name}`)} />
            </div>
            <Num
              className={
                'rounded-panel border border-line bg-bg2 px-3 py-2 font-mono ' + 'text-table break-all select-all'
              }
            >
              <span data-testid={`api-${name}`}>{value}</span>
            </Num>
          </div>
        ))}
      </Dialog>
    );
  }
  const problem = submission.shown(problems.addresses);
  return (
    <FormDialog
      title={t('apiKey.make')}
      description={t('apiKey.makeText')}
      submission={submission}
      action={t('apiKey.make')}
      onClose={onClose}
    >
      <Field
        name="label"
        label={t('apiKey.label')}
        value={label}
        maxLength={40}
        autoComplete="off"
        error={submission.shown(problems.label)}
        onChange={(event) => setLabel(event.target.value)}
      />
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-table text-t2">{t('apiKey.permissions')}</legend>
        {PERMISSIONS.map(({ value, text }) => (
          <label key={value} className="inline-flex min-h-6 cursor-pointer items-center gap-2 text-body">
            <input
              type="radio"
              name="permissions"
              value={value}
              checked={permissions === value}
              onChange={() => setPermissions(value)}
              className="size-4 accent-[var(--accent)]"
            />
            {t(text)}
          </label>
        ))}
        <p className="text-label text-t2">{t('apiKey.neverWithdraw')}</p>
      </fieldset>
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-ips`} className="text-table text-t2">
          {t('apiKey.addresses')}
        </label>
        <textarea
          id={`${id}-ips`}
          name="ips"
          dir="ltr"
          rows={3}
          value={addresses}
          onChange={(event) => setAddresses(event.target.value)}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-hint${problem ? ` ${id}-error` : ''}`}
          className={cx(
            'rounded-panel border bg-bg2 px-3 py-2 font-mono text-table text-t1',
            problem ? 'border-down' : 'border-line-strong',
          )}
        />
        <p id={`${id}-hint`} className="text-label text-t2">
          {t('apiKey.addressesHint')}
        </p>
        {problem && (
          <p id={`${id}-error`} role="alert" className="text-table text-down">
            {problem}
          </p>
        )}
      </div>
      <PasswordField
        name="password"
        label={t('account.fundPassword')}
        value={password}
        maxLength={6}
        autoComplete="off"
        error={submission.shown(problems.password)}
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormDialog>
  );
}

/** Deleting ends the key at once. */
export function DeleteKeyDialog({ row, onClose }: { row: ApiKeyRow; onClose: () => void }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const problems = password === '' ? { password: 'fund.required' } : {};
  const submission = useForm(problems, async () => {
    await deleteKey(api, row.key, password);
    await queryClient.invalidateQueries({ queryKey: KEYS.apiKeys });
    toastDone(t('apiKey.deleted'));
    onClose();
  });
  return (
    <FormDialog
      title={t('apiKey.deleteTitle')}
      description={t('apiKey.deleteText', { label: row.label })}
      submission={submission}
      action={t('apiKey.delete')}
      kind="danger"
      onClose={onClose}
    >
      <PasswordField
        name="password"
        label={t('account.fundPassword')}
        value={password}
        maxLength={6}
        autoComplete="off"
        error={submission.shown(problems.password)}
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormDialog>
  );
}
