import { expect, test } from '@jest/globals';
import { computeAddress, getBytes, SigningKey, Transaction } from 'ethers';
import { PaymentRefused } from '../../application/chain.js';
import type { Signer } from '../../application/signer.js';
import { RpcRefusal, type JsonRpc } from '../json-rpc.js';
import { EvmWallet } from './evm-wallet.js';

const key = new SigningKey(`0x${'11'.repeat(32)}`);
const signer = {
  addressOf: () => computeAddress(key.publicKey),
  sign: (_chain: string, _from: object, hash: Uint8Array) => {
    const { r, s, yParity } = key.sign(hash);
    return Promise.resolve({ signature: Buffer.concat([getBytes(r), getBytes(s)]), recovery: yParity });
  },
} as unknown as Signer;
const TO = computeAddress(new SigningKey(`0x${'22'.repeat(32)}`).publicKey);
const TOKEN = computeAddress(new SigningKey(`0x${'33'.repeat(32)}`).publicKey);

/** A wallet whose node refuses to estimate a call for this reason. */
function refusing(code: number, reason: string): EvmWallet {
  const answers: Readonly<Record<string, unknown>> = {
    eth_getBlockByNumber: { baseFeePerGas: '0x1' },
    eth_maxPriorityFeePerGas: '0x1',
    eth_getTransactionCount: '0x0',
    eth_getBalance: '0xde0b6b3a7640000',
  };
  const rpc = {
    call: (method: string) =>
      method === 'eth_estimateGas'
        ? Promise.reject(new RpcRefusal(method, code, reason))
        : Promise.resolve(answers[method]),
    all: (calls: readonly object[]) => Promise.resolve(calls.map(() => '0xde0b6b3a7640000')),
  } as unknown as JsonRpc;
  return new EvmWallet('ethereum', 1n, rpc, signer, 10n ** 12n);
}
const move = (contract: string, mayFail: boolean) =>
  ({ from: { kind: 'hot' }, to: TO, contract, amount: 1_000n, mayFail }) as const;

test.each([
  ['of the coin', ''],
  ['of a token', TOKEN],
])('a payment %s that may fail waits while the node refuses for a reason of its own [EVM-047]', async (_, contract) => {
  const busy = refusing(-32_005, 'limit exceeded');
  for (const mayFail of [false, true]) {
    const signed = busy.signMove(move(contract, mayFail), new Set());
    await expect(signed).rejects.toThrow(RpcRefusal);
  }
});

test.each([
  ['of the coin', ''],
  ['of a token', TOKEN],
])('a payment %s that may fail has gas for the contract of its recipient [EVM-047]', async (_, contract) => {
  const failing = refusing(3, 'execution reverted');
  await expect(failing.signMove(move(contract, false), new Set())).rejects.toThrow(PaymentRefused);
  const { bytes } = await failing.signMove(move(contract, true), new Set());
  expect(Transaction.from(bytes).gasLimit).toBe(100_000n);
});
