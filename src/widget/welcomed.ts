import type { ServerEvent } from '../platform/http/event-stream.js';

/**
 * The steps of an answer, behind what the visitor is to come back with: it may lose the connection before the end. No
 * generator: whoever leaves must end the reader of the steps at once, not when the next one comes.
 */
export function welcomed(
  token: { visitorToken?: string },
  steps: AsyncIterable<ServerEvent>,
): AsyncIterable<ServerEvent> {
  const welcome: ServerEvent[] = [{ event: 'welcome', data: token }];
  const rest = steps[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const value = welcome.shift();
        return value === undefined ? rest.next() : Promise.resolve({ done: false, value });
      },
      return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
    }),
  };
}
