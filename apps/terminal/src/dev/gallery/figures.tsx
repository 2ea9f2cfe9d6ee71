import { Change, CoinIcon, DescriptionList, formatBookPrice, Num, Stat } from '@bourse/ui';
import { Group, type Part } from './group.js';

/** Figures with their names, coins. */
export function Figures({ words }: Part) {
  return (
    <Group id="figures" title={words.figures}>
      <Stat label={words.amount} value="48,320.44" unit="USDT" change="2.41" hint={words.hint} />
      <Stat label={words.amount} value="48,320.44" change="-0.40" />
      <Stat label={words.amount} value={undefined} />
      <DescriptionList
        className="w-56"
        facts={[
          { id: 'a', name: words.amount, value: <Num>0.05 BTC</Num> },
          { id: 'b', name: words.address, value: <Num>0x00…00a1</Num> },
          { id: 'c', name: words.coin, value: undefined },
        ]}
      />
      {['BTC', 'ETH', 'USDT', 'XRP', 'LTC', 'DOGE'].map((name) => (
        <CoinIcon key={name} name={name} size={32} />
      ))}
      <CoinIcon name="ADA" size={16} />
      <Num>{formatBookPrice('55830', 2)}</Num>
      <Change value="0" />
    </Group>
  );
}
