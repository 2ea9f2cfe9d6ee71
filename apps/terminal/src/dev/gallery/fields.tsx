import { useState } from 'react';
import { CoinIcon, Combobox, DateRange, Field, Num, PercentSlider, Select } from '@bourse/ui';
import { Group, type Part } from './group.js';

/** Fields, choices of coins and days, the slider. */
export function Fields({ words }: Part) {
  const [coin, setCoin] = useState<string | undefined>('BTC');
  const [percent, setPercent] = useState(25);
  const coins = ['BTC', 'ETH', 'USDT', 'XRP'].map((name) => ({
    value: name,
    text: name,
    row: (
      <span className="flex items-center gap-2">
        <CoinIcon name={name} size={16} /> <Num>{name}</Num>
      </span>
    ),
  }));
  return (
    <Group id="fields" title={words.fields}>
      <Field label={words.amount} numeric suffix={<Num>USDT</Num>} defaultValue="1234.50" className="w-56" />
      <Field label={words.amount} compact numeric placeholder="0.00" className="w-56" />
      <Field label={words.amount} hint={words.hint} className="w-56" />
      <Field label={words.amount} error={words.wrong} className="w-56" />
      <Field label={words.address} mono defaultValue="0x00000000000000000000000000000000000000a1" className="w-56" />
      <Field label={words.amount} disabled defaultValue="1" className="w-56" />
      <Select
        label={words.coin}
        value="a"
        onChange={() => undefined}
        options={[
          { value: 'a', label: 'BTC' },
          { value: 'b', label: 'ETH' },
        ]}
      />
      <Combobox
        label={words.coin}
        options={coins}
        value={coin}
        onChange={setCoin}
        empty={words.nothing}
        className="w-56"
      />
      <Combobox
        label={words.coin}
        options={coins}
        value={undefined}
        onChange={setCoin}
        empty={words.nothing}
        placeholder={words.search}
        error={words.wrong}
        className="w-56"
      />
      <Combobox
        label={words.coin}
        options={coins}
        value="ETH"
        onChange={setCoin}
        empty={words.nothing}
        disabled
        className="w-56"
      />
      <DateRange
        label={words.range}
        fromLabel={words.from}
        toLabel={words.to}
        value={{ from: '2026-11-16', to: '2026-11-22' }}
        today="2026-11-22"
        presets={[
          { days: 1, label: words.day },
          { days: 7, label: words.week },
        ]}
        error={words.wrong}
        onChange={() => undefined}
      />
      <DateRange
        label={words.range}
        fromLabel={words.from}
        toLabel={words.to}
        value={{ from: '2026-11-22', to: '2026-11-01' }}
        today="2026-11-22"
        presets={[]}
        error={words.wrong}
        onChange={() => undefined}
      />
      <div className="w-56">
        <PercentSlider label={words.part} value={percent} onChange={setPercent} />
      </div>
    </Group>
  );
}
