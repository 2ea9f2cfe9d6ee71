import type { FormEvent, ReactNode } from 'react';

/** The frame of the plain forms: a title, the fields, one main button, links below. */
export function FormCard({
  title,
  lead,
  children,
  footer,
  onSubmit,
}: {
  title: ReactNode;
  lead?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  onSubmit: () => void;
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <div className="mx-auto w-full max-w-[26rem] px-4 py-8 md:py-12">
      <form noValidate onSubmit={submit} className="flex flex-col gap-4 rounded-dialog border border-line bg-bg1 p-6">
        <div className="flex flex-col gap-1">
          <h1 className="text-last font-semibold">{title}</h1>
          {lead && <p className="text-body text-t2">{lead}</p>}
        </div>
        {children}
      </form>
      {footer && <div className="mt-4 flex flex-wrap justify-between gap-2 text-body text-t2">{footer}</div>}
    </div>
  );
}

/** The refusal of a form as a whole, beside its button and kept until the next press. */
export function FormError({ children }: { children: string | undefined }) {
  return children ? (
    <p role="alert" className="rounded-panel border border-down px-3 py-2 text-body text-down">
      {children}
    </p>
  ) : null;
}
