import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, Dialog, type ButtonKind } from '@bourse/ui';
import type { SubmissionHandle } from '@bourse/web';
import { FormError } from './form-card.js';

/** A question before something is sent: it cannot be closed while it is under way, and shows what was refused. */
export function SubmissionDialog({
  title,
  description,
  submission,
  action,
  kind,
  keep,
  onSend,
  onClose,
  children,
}: {
  title: string;
  description: ReactNode;
  submission: Pick<SubmissionHandle, 'busy' | 'refusal'>;
  action: string;
  /** `danger` puts the focus on the button that leaves everything as it is. */
  kind: ButtonKind;
  /** The label of that button. */
  keep?: string;
  onSend: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const close = (): void => {
    if (!submission.busy) onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      closeLabel={t('common.close')}
      title={title}
      description={description}
      actions={
        <>
          <Button disabled={submission.busy} data-autofocus={kind === 'danger' ? '' : undefined} onClick={onClose}>
            {keep ?? t('common.cancel')}
          </Button>
          <Button kind={kind} busy={submission.busy} onClick={onSend}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      <FormError>{submission.refusal}</FormError>
    </Dialog>
  );
}
