import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '@bourse/api-client';
import type { CoinInfo, TypeData } from '@bourse/contract';
import { api } from '../../../core/api.js';
import { coinInfo } from '../api/deposits.js';

export interface CoinNetworks {
  readonly info: CoinInfo | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
  readonly network: TypeData | undefined;
  readonly choose: (id: number) => void;
}

/** Operators change fees and minimums while the screen is open. */
const SHOWN_MS = 30_000;

/** A coin with its networks and the one that is chosen: the first until the person takes another. */
export function useCoin(currency: number): CoinNetworks {
  const {
    data: info,
    isError,
    refetch,
  } = useQuery({
    queryKey: keys.coinInfo(currency),
    staleTime: SHOWN_MS,
    refetchInterval: SHOWN_MS,
    enabled: currency > 0,
    queryFn: () => coinInfo(api, currency),
  });
  const [chosen, setChosen] = useState<number>();
  const network = info?.type_data.find(({ id }) => id === chosen) ?? info?.type_data[0];
  return { info, failed: isError && !info, retry: () => void refetch(), network, choose: setChosen };
}
