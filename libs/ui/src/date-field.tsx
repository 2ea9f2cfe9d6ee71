import { CalendarDays } from 'lucide-react';
import { useRef, useState } from 'react';
import { Field, type FieldProps } from './field.js';
import { isDateText } from './date-text.js';

/**
 * A date, or a date and time, as the exchange writes them everywhere: `2026-01-31 18:30`. The platform's own field
 * would show it in the order of the browser's language. The calendar beside it is the platform's.
 *
 * `value` is what a date field gives: `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm`; while a person types, the text so far.
 * `wrongText` makes the text that is shown when a person leaves the field with another text, from an example.
 */
export function DateField({
  value,
  onDate,
  withTime = false,
  wrongText,
  error,
  ...field
}: Omit<FieldProps, 'value' | 'onChange' | 'type' | 'suffix' | 'placeholder' | 'numeric' | 'mono'> & {
  value: string;
  onDate: (value: string) => void;
  withTime?: boolean;
  wrongText: (example: string) => string;
}) {
  const picker = useRef<HTMLInputElement>(null);
  const [isTyping, setTyping] = useState(false);
  const [form, example] = withTime ? ['YYYY-MM-DD HH:mm', '2026-01-31 18:30'] : ['YYYY-MM-DD', '2026-01-31'];
  const isDate = isDateText(value, withTime);
  const shownError = value === '' || isDate ? error : isTyping ? undefined : wrongText(example);
  return (
    <Field
      {...field}
      error={shownError}
      numeric
      inputMode="text"
      maxLength={form.length}
      placeholder={form}
      value={value.replace('T', ' ')}
      onFocus={() => setTyping(true)}
      onBlur={() => setTyping(false)}
      onChange={(event) => onDate(event.target.value.trimStart().replace(/(?<=\d) /, 'T'))}
      suffix={
        // Keys and readers type the date: the calendar is for pointers.
        <span aria-hidden className="relative block">
          <button
            type="button"
            tabIndex={-1}
            onClick={() => picker.current?.showPicker()}
            className="grid size-6 place-items-center rounded-chip hover:text-t1"
          >
            <CalendarDays size={16} />
          </button>
          <input
            ref={picker}
            type={withTime ? 'datetime-local' : 'date'}
            tabIndex={-1}
            value={isDate ? value : ''}
            onChange={(event) => onDate(event.target.value)}
            className="pointer-events-none absolute inset-0 size-full opacity-0"
          />
        </span>
      }
    />
  );
}
