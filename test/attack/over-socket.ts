import type { ClientFrame, ServerFrame } from '../../src/chat/protocol.js';
import type { Arena } from '../properties/arena.js';
import type { Caller } from '../properties/callers.js';
import { openWidget, type WidgetClient } from '../support/widget-client.js';
import type { AttackSize } from './attack.js';
import { spread } from './over-http.js';
import type { Tally } from './tally.js';

const door = 'widget over WebSocket';

/** Asks with the words of both organizations, and resumes answers of others, with every credential. */
export async function attackSocket(
  arena: Arena,
  tally: Tally,
  { questions }: AttackSize,
): Promise<void> {
  const { sides } = arena.world;
  for (const caller of arena.callers) {
    const own = sides[caller.side];
    const foreign = sides[caller.side === 0 ? 1 : 0];
    const address = String(own.things.url[0]);
    const client = await openWidget(arena.url, { origin: new URL(address).origin });
    try {
      if (!(await isWelcome(client, caller))) {
        await tally.check(door, async () => {
          await client.closed;
          look(caller, client.frames, '');
          return 401;
        });
        continue;
      }
      const words = [own, foreign].flatMap(({ things }) =>
        spread(things.canary.map(String), questions / 2),
      );
      for (const [index, word] of words.entries()) {
        const url = String(sides[index % 2 === 0 ? 0 : 1].things.url[index % 3]);
        const message = `What about oiling the pump with ${word}?`;
        const frame = { type: 'message', message, context: { url, title: 'Pumps' } } as const;
        await tally.check(door, () => ask(client, caller, { ...frame, id: `ask-${index}` }));
      }
      const conversations = [...own.things.conversation, ...foreign.things.conversation];
      for (const [index, conversationId] of conversations.map(String).entries()) {
        // The question may belong to another conversation: its id is a small number that is easily guessed.
        const questionId = Number(own.things.answer[index % own.things.answer.length]) - 1;
        const frame = { type: 'resume', conversationId, questionId } as const;
        await tally.check(door, () => ask(client, caller, { ...frame, id: `resume-${index}` }));
      }
    } finally {
      await client.close();
      await arena.store.restore(await arena.changes());
    }
  }

  /** Sends a frame, waits for the end of its answer, and checks all frames until then. */
  async function ask(
    client: WidgetClient,
    caller: Caller,
    frame: Extract<ClientFrame, { type: 'message' | 'resume' }>,
  ): Promise<number> {
    const before = client.frames.length;
    client.send(frame);
    const last = await client.until(
      (one) => 'id' in one && one.id === frame.id && ['done', 'error'].includes(one.type),
    );
    look(caller, client.frames.slice(before), JSON.stringify(frame));
    if (last.type !== 'error') return 200;
    return last.code === 'internal' ? 500 : 404;
  }

  function look(caller: Caller, frames: ServerFrame[], asked: string): void {
    const wire = { method: 'WS', path: '/widget/ws', headers: caller.headers };
    const answer = { status: 200, headers: {}, text: JSON.stringify(frames) };
    arena.secrets.check(caller, true, { ...wire, body: Buffer.from(asked) }, answer);
  }
}

/** Sends a hello with the caller's credential. True if the server welcomes it. */
async function isWelcome(client: WidgetClient, { headers }: Caller): Promise<boolean> {
  const userToken = headers['authorization']?.replace(/^Bearer /, '');
  const apiKey = headers['x-widget-key'];
  client.send({
    type: 'hello',
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(userToken === undefined ? {} : { userToken }),
  });
  const first = await Promise.race([
    client.until(({ type }) => type === 'welcome' || type === 'error').catch(() => undefined),
    client.closed.then(() => undefined),
  ]);
  return first?.type === 'welcome';
}
