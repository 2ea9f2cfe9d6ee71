import {
  createContext,
  use,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useState,
  type FormHTMLAttributes,
  type ReactNode,
} from 'react';

interface Scope {
  /** A field of this form holds a text that it refuses. */
  readonly blocked: boolean;
  readonly report: (field: string, refused: boolean) => void;
}
const FormContext = createContext<Scope | undefined>(undefined);

/** The scope of one form: while a field in it refuses its text, the buttons that send the form are disabled. */
export function FormScope({ children }: { children: ReactNode }) {
  const outer = use(FormContext)?.report;
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const report = useCallback(
    (field: string, refuses: boolean): void => {
      setRefused((before) => {
        if (before.has(field) === refuses) return before;
        const after = new Set(before);
        if (refuses) after.add(field);
        else after.delete(field);
        return after;
      });
      outer?.(field, refuses);
    },
    [outer],
  );
  const scope = useMemo(() => ({ blocked: refused.size > 0, report }), [refused, report]);
  return <FormContext value={scope}>{children}</FormContext>;
}

/** A form that checks its fields itself. It is not submitted, by Enter either, while a field refuses its text. */
export function Form(props: FormHTMLAttributes<HTMLFormElement>) {
  return (
    <FormScope>
      <GuardedForm {...props} />
    </FormScope>
  );
}

function GuardedForm({ onSubmit, ...rest }: FormHTMLAttributes<HTMLFormElement>) {
  const blocked = useFormBlocked();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        if (!blocked) return onSubmit?.(event);
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
      }}
      {...rest}
    />
  );
}

/** Whether a field of the form around refuses its text. */
export const useFormBlocked = (): boolean => use(FormContext)?.blocked ?? false;

/** Reports to the form around this field whether the field refuses its text. */
export function useRefusal(refused: boolean): void {
  const field = useId();
  const report = use(FormContext)?.report;
  useLayoutEffect(() => {
    report?.(field, refused);
    return () => report?.(field, false);
  }, [report, field, refused]);
}
