import { useState } from 'react';
import { DateField, Field, Num, PercentSlider, Select } from '@bourse/ui';
import { Group, type Part } from './group.js';

/** Fields, a choice of coins, the slider. */
export function Fields({ words }: Part) {
  const [percent, setPercent] = useState(25);
  const [date, setDate] = useState('2026-01-31T18:30');
  return (
    <Group id="fields" title={words.fields}>
      <Field label={words.amount} numeric suffix={<Num>USDT</Num>} defaultValue="1234.50" className="w-56" />
      <Field label={words.amount} compact numeric placeholder="0.00" className="w-56" />
      <Field label={words.amount} hint={words.hint} className="w-56" />
      <Field label={words.amount} error={words.wrong} className="w-56" />
      <Field label={words.address} mono defaultValue="0x00000000000000000000000000000000000000a1" className="w-56" />
      <Field label={words.amount} disabled defaultValue="1" className="w-56" />
      <DateField
        label={words.date}
        withTime
        value={date}
        onDate={setDate}
        wrongText={() => words.wrong}
        className="w-56"
      />
      <Select
        label={words.coin}
        value="a"
        onChange={() => undefined}
        options={[
          { value: 'a', label: 'BTC' },
          { value: 'b', label: 'ETH' },
        ]}
      />
      <div className="w-56">
        <PercentSlider label={words.part} value={percent} onChange={setPercent} />
      </div>
    </Group>
  );
}
