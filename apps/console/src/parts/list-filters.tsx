import { useEffect, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { DateField, Field, isDateText, Select, latinDigits } from '@bourse/ui';

export interface ListFilter {
  /** Name of the field of the call, and of the address bar. */
  readonly name: string;
  readonly label: string;
  /** `id`: digits; `date`: a day, `YYYY-MM-DD`. */
  readonly kind: 'text' | 'choice' | 'date' | 'id';
  /** The value for the call, where it differs from the value of the field: the first second of a day. */
  readonly sent?: (value: string) => string;
  /** Of a choice; "all" is added. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** Unknown to the call: the page narrows its rows by it (`rowsOf` of the list). */
  readonly here?: boolean;
}

/** Filters of a list. A text applies when its field is left or Enter is pressed, choices and days at once. */
export function ListFilters({
  filters,
  valueOf,
  onChange,
  first,
}: {
  filters: readonly ListFilter[];
  valueOf: (name: string) => string;
  onChange: (name: string, value: string) => void;
  /** The first field that can be typed into. */
  first: Ref<HTMLInputElement>;
}) {
  const { t } = useTranslation();
  const typed = filters.find(({ kind }) => kind !== 'choice');
  return (
    <form role="search" onSubmit={(event) => event.preventDefault()} className="flex flex-wrap items-end gap-3">
      {filters.map((filter) =>
        filter.kind === 'choice' ? (
          <Select
            key={filter.name}
            label={filter.label}
            value={valueOf(filter.name)}
            options={[{ value: '', label: t('list.all') }, ...(filter.options ?? [])]}
            onChange={(value) => onChange(filter.name, value)}
            className="min-w-32 max-sm:flex-1"
          />
        ) : (
          <TypedFilter
            key={filter.name}
            filter={filter}
            value={valueOf(filter.name)}
            onChange={(value) => onChange(filter.name, value)}
            field={filter === typed ? first : undefined}
          />
        ),
      )}
    </form>
  );
}

function TypedFilter({
  filter: { name, label, kind },
  value,
  onChange,
  field,
}: {
  filter: ListFilter;
  value: string;
  onChange: (value: string) => void;
  field: Ref<HTMLInputElement> | undefined;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const send = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };
  if (kind === 'date')
    return (
      <DateField
        {...(field === undefined ? {} : { ref: field })}
        name={name}
        label={label}
        value={text}
        wrongText={(example) => t('common.dateWrong', { example })}
        onDate={(day) => {
          setText(day);
          if (day === '' || isDateText(day, false)) onChange(day);
        }}
        className="min-w-40 max-sm:flex-1"
      />
    );
  return (
    <Field
      {...(field === undefined ? {} : { ref: field })}
      name={name}
      label={label}
      type="search"
      inputMode={kind === 'id' ? 'numeric' : undefined}
      value={text}
      onChange={(event) => {
        const next = kind === 'id' ? latinDigits(event.target.value).replace(/\D/g, '') : event.target.value;
        setText(next);
        // Clearing a field by its button shows the whole list.
        if (next === '') onChange(next);
      }}
      onBlur={send}
      onKeyDown={(event) => {
        if (event.key === 'Enter') send();
      }}
      className="min-w-40 max-sm:flex-1"
    />
  );
}
