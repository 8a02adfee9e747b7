/**
 * Passes NDJSON on a whole line at a time, whatever the chunks of the network were. The ollama package prints
 * each line that it cannot parse, so a half line at the end of a broken stream would put a piece of somebody's
 * answer on the console: it is dropped here, and the missing `done` line tells that the answer broke off.
 * Any other line that is no JSON object becomes an `error` line.
 */
export function guardLines(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.trim() === '') continue;
        controller.enqueue(encoder.encode(`${isJsonObject(line) ? line : notOllama}\n`));
      }
    },
    flush(controller) {
      rest += decoder.decode();
      if (isJsonObject(rest)) controller.enqueue(encoder.encode(`${rest}\n`));
    },
  });
}

const notOllama = JSON.stringify({ error: 'the server sent a line that is not JSON' });

function isJsonObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
