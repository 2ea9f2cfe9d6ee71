// `node tools/evm-node.mjs [--port N] [--token ADDRESS] [--block-seconds N]`: a local EVM node with a test token on it,
// for tests and for trying the wallet out. Prints one line of JSON: { url, chainId, token, tokenDecimals, accounts };
// the accounts have funds, and the node signs for them (eth_sendTransaction). Blocks come with each transaction, and
// every N seconds (60): a chain without new blocks would be reported as stalled. The token has the address of the real
// one of the ERC20 network, so that an install needs only the address of the node. Ends with its parent or on SIGTERM;
// the chain is not stored. Needs no network.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createHardhatRuntimeEnvironment } from 'hardhat/hre';
import solc from 'solc';
import './lib/end-with-parent.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    token: { type: 'string', default: '0xdAC17F958D2ee523a2206206994597C13D831ec7' },
    'block-seconds': { type: 'string', default: '60' },
  },
});
const CHAIN_ID = 31_337;
/** The development phrase that every tool of the field knows: never a key of anything real. */
const MNEMONIC = 'test test test test test test test test test test test junk';

// Hardhat wants a project folder of its own, and leaves files there.
const folder = mkdtempSync(join(tmpdir(), 'evm-node-'));
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
mkdirSync(join(folder, 'contracts'));

const blockMs = Math.round(Number(values['block-seconds']) * 1000);
const hre = await createHardhatRuntimeEnvironment(
  {
    networks: {
      node: {
        type: 'edr-simulated',
        chainType: 'l1',
        chainId: CHAIN_ID,
        accounts: { mnemonic: MNEMONIC, count: 10 },
        mining: { auto: true, interval: blockMs },
        throwOnTransactionFailures: false,
      },
    },
  },
  {},
  folder,
);
const server = await hre.network.createServer('node', '127.0.0.1', Number(values.port));
const { port } = await server.listen();
const url = `http://127.0.0.1:${port}`;

const stop = async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, stop);

let calls = 0;
async function rpc(method, params = []) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++calls, method, params }),
  });
  const { result, error } = await response.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Code of the token as it runs; npm's own compiler, nothing is downloaded. */
function tokenCode() {
  const input = {
    language: 'Solidity',
    sources: { 'token.sol': { content: readFileSync(new URL('./lib/test-token.sol', import.meta.url), 'utf8') } },
    settings: { optimizer: { enabled: true }, outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } } },
  };
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
  const wrong = errors.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) throw new Error(wrong.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return `0x${contracts['token.sol'].TestToken.evm.deployedBytecode.object}`;
}

// The token keeps nothing from its construction, so its code can be put where a network expects it.
await rpc('hardhat_setCode', [values.token, tokenCode()]);
console.log(
  JSON.stringify({
    url,
    chainId: CHAIN_ID,
    token: values.token,
    tokenDecimals: 6,
    accounts: await rpc('eth_accounts'),
  }),
);
