import { useId, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonKind, Dialog, Form } from '@bourse/ui';
import { FormError } from './form-card.js';
import type { Form as FormState } from './use-form.js';

/** A small form in a dialog: fields, what was refused, cancel and one main button; Enter sends it. */
export function FormDialog({
  title,
  description,
  submission,
  action,
  kind = 'primary',
  onClose,
  children,
}: {
  title: string;
  description?: ReactNode;
  submission: FormState;
  action: string;
  kind?: ButtonKind;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const form = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The dialog may lie over another form: that one is not sent by this press.
    event.stopPropagation();
    void submission.submit();
  };
  const close = (): void => {
    if (!submission.busy) onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      title={title}
      description={description}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button disabled={submission.busy} onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button kind={kind} type="submit" form={form} busy={submission.busy}>
            {action}
          </Button>
        </>
      }
    >
      <Form id={form} onSubmit={submit} className="flex flex-col gap-4">
        {children}
        <FormError>{submission.refusal}</FormError>
      </Form>
    </Dialog>
  );
}
