import assert from 'node:assert/strict';
import { guardLines } from '../../../src/platform/models/ollama-transport.js';

async function guarded(chunks: Uint8Array[]): Promise<string> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      chunks.forEach((chunk) => controller.enqueue(chunk));
      controller.close();
    },
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of source.pipeThrough(guardLines())) text += decoder.decode(chunk);
  return text;
}

describe('The lines of a streamed answer', () => {
  it('are the same for any chunk boundaries', async () => {
    const text = '{"a":"ä😀"}\n{"b":"東"}\n';
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at += 1) {
      assert.equal(await guarded([bytes.subarray(0, at), bytes.subarray(at)]), text);
    }
  });

  it('do not include an incomplete line at the end, but include a complete one', async () => {
    assert.equal(await guarded([Buffer.from('{"a":1}\n{"b":')]), '{"a":1}\n');
    assert.equal(await guarded([Buffer.from('{"a":1}\n{"b":2}')]), '{"a":1}\n{"b":2}\n');
  });

  it('become an error if they are not JSON objects', async () => {
    for (const line of ['oops', 'null', '[1]', '3']) {
      assert.match(await guarded([Buffer.from(`${line}\n`)]), /^\{"error":"[^"]+"\}\n$/, line);
    }
  });
});
