// A TCP proxy before an exchange that takes the place of the server's pushes of one market on the sockets of a page.
// It passes everything else on unchanged.
import { connect, createServer } from 'node:net';
import { Market } from './market.mjs';

/** Pushes a second of each kind: differences of the book, trades, figures of the day. */
export const FLOOD = { depth: 1_000, trades: 200, tickers: 250 };
const TICK_MS = 5;
const PUSHES = /^42\["(?:market_depth|match_trade|daymarket|transaction|kline)"/;
const HEAD_END = Buffer.from('\r\n\r\n');

/** A text frame of a server. */
function frameOf(text) {
  const body = Buffer.from(text);
  if (body.length < 126) return Buffer.concat([Buffer.from([0x81, body.length]), body]);
  const head = Buffer.from([0x81, 126, 0, 0]);
  head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}

/** Splits the bytes of a server into whole frames, each with its text if it is a text. */
class Frames {
  #rest = Buffer.alloc(0);
  *of(chunk) {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const rest = this.#rest;
      if (rest.length < 2) return;
      const short = rest[1] & 0x7f;
      const head = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (rest.length < head) return;
      const length = short === 127 ? Number(rest.readBigUInt64BE(2)) : short === 126 ? rest.readUInt16BE(2) : short;
      if (rest.length < head + length) return;
      const whole = rest.subarray(0, head + length);
      this.#rest = rest.subarray(head + length);
      yield { whole, text: (rest[0] & 0x0f) === 1 ? whole.subarray(head).toString() : undefined };
    }
  }
}

/**
 * Starts the proxy.
 * @param {string} target address of the exchange
 */
export async function floodProxy(target) {
  const { hostname, port } = new URL(target);
  const subscribed = {};
  let browser;
  let flooding = false;
  const sockets = new Set();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
        sockets.delete(socket);
      });
    }
    client.setNoDelay(true);
    client.once('data', (first) => {
      upstream.write(first);
      client.pipe(upstream);
      if (!/upgrade: websocket/i.test(first.toString('latin1'))) return upstream.pipe(client);
      passFrames(upstream, client);
    });
  });

  function passFrames(upstream, client) {
    const frames = new Frames();
    let isOpen = false;
    upstream.on('data', (chunk) => {
      let bytes = chunk;
      if (!isOpen) {
        const end = chunk.indexOf(HEAD_END);
        if (end === -1) throw new Error('The answer to the upgrade came in parts.');
        isOpen = true;
        client.write(chunk.subarray(0, end + HEAD_END.length));
        bytes = chunk.subarray(end + HEAD_END.length);
      }
      for (const { whole, text } of frames.of(bytes)) {
        if (text?.startsWith('43')) remember(text, client);
        if (!flooding || text === undefined || !PUSHES.test(text)) client.write(whole);
      }
    });
  }

  /** Keeps what the answer to the subscription of a market shows of each channel. */
  function remember(text, client) {
    const [answer] = JSON.parse(text.slice(text.indexOf('[')));
    for (const { channel, snapshot } of answer?.ok ?? []) {
      subscribed[channel] = snapshot;
      browser = client;
    }
  }

  await new Promise((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Sends for so long to the page that subscribed last. @returns the number of messages that were sent */
    async flood(durationMs) {
      flooding = true;
      const market = new Market(subscribed);
      const begun = performance.now();
      let sent = 0;
      for (;;) {
        const elapsed = performance.now() - begun;
        if (elapsed >= durationMs) return sent;
        for (const [kind, rate] of Object.entries(FLOOD))
          for (; market.sent[kind] < (elapsed / 1_000) * rate; sent += 1)
            browser.write(frameOf(`42${JSON.stringify(market[kind]())}`));
        await new Promise((done) => {
          setTimeout(done, TICK_MS);
        });
      }
    },
    end() {
      for (const socket of sockets) socket.destroy();
      return new Promise((closed) => {
        server.close(closed);
      });
    },
  };
}
