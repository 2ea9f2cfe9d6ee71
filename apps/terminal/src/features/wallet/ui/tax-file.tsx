import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel, Select } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { knownServerNow } from '../../../core/server-time.js';
import { ExportButton } from '../../../parts/export-button.js';
import { statementOfYear } from '../api/records.js';
import { TAX_FORMATS, taxYears, type TaxFormat } from '../model/statement.js';

/** Saves the bookings of a year as a file for a program for taxes. */
export function TaxFile() {
  const { t } = useTranslation();
  const years = taxYears(new Date(knownServerNow()).getUTCFullYear());
  const [year, setYear] = useState(years[0] ?? '');
  const [format, setFormat] = useState<TaxFormat>('koinly');
  return (
    <Panel className="flex flex-wrap items-end justify-between gap-4 p-4">
      <div className="min-w-0">
        <h2 className="text-title font-semibold">{t('wallet.tax')}</h2>
        <p className="text-table text-t2">{t('wallet.taxLead')}</p>
      </div>
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label={t('wallet.taxYear')}
          value={year}
          onChange={setYear}
          options={years.map((value) => ({ value, label: value }))}
        />
        <Select
          label={t('wallet.taxForm')}
          value={format}
          onChange={(value) => setFormat(value as TaxFormat)}
          options={Object.entries(TAX_FORMATS).map(([value, label]) => ({ value, label }))}
        />
        <ExportButton
          about={t('wallet.tax')}
          read={() => statementOfYear(api, year, format)}
          name={() => `statement-${year}${format === 'csv' ? '' : `-${format}`}.csv`}
        />
      </div>
    </Panel>
  );
}
