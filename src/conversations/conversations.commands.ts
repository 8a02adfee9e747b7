import type { CommandGroup } from '../platform/cli/command-group.js';
import type { Session } from '../platform/cli/cli.js';
import { isInteractive } from '../platform/cli/terminal.js';
import { AppError, messageOf } from '../platform/errors.js';

interface AskOptions {
  url?: string;
  conversation?: string;
  interactive?: boolean;
}

/** A conversation at the terminal: its page and conversation, and how to cancel the running answer. */
interface Talk {
  url: string | undefined;
  conversationId: string | undefined;
  goesOn: boolean;
  cancel: (() => void) | undefined;
}

export function addConversationCommands(program: CommandGroup): void {
  program.add({
    name: 'ask',
    description: 'ask the assistant, as an operator: it may use every tier',
    arguments: [['[question...]', '']],
    options: [
      ['--url <url>', 'the page that the question is about'],
      ['--conversation <id>', 'go on with an earlier conversation'],
      ['--interactive', 'ask one question after another'],
    ],
    answer:
      '{ response, conversationId, messageId, sources, found, canRequest, unsupported, withheld, status, suggestions?, mode, language }, as a line for each answer',
    examples: [
      'assistant ask "How do I approve a batch?"',
      'assistant ask --interactive',
      'assistant ask "¿Quién ve lo interno?" --json | jq -r .response',
    ],
    async run(session, options: AskOptions, words: string[]) {
      const { url, conversation: conversationId, interactive: goesOn = false } = options;
      const talk: Talk = { url, conversationId, goesOn, cancel: undefined };
      const first = words.join(' ');
      if (goesOn) await converse(session, talk, first);
      else {
        const { askFor } = await import('../platform/cli/prompts.js');
        const asked = { option: 'the question', what: 'Question' };
        await ask(session, talk, await askFor(session.terminal, first, asked));
      }
      return session.interrupted.aborted ? 1 : 0;
    },
  });
}

async function converse(session: Session, talk: Talk, first: string): Promise<void> {
  // A person can ask again, but a script must learn that a question failed.
  const askOn = isInteractive(session.terminal) ? askOrExplain : ask;
  if (first !== '') await askOn(session, talk, first);
  for await (const line of questions(session, talk)) await askOn(session, talk, line);
  if (talk.conversationId === undefined) return;
  session.out.note(`Go on with: assistant ask --interactive --conversation ${talk.conversationId}`);
}

async function askOrExplain(session: Session, talk: Talk, question: string): Promise<void> {
  try {
    await ask(session, talk, question);
  } catch (error) {
    if (!(error instanceof AppError) || session.interrupted.aborted) throw error;
    session.out.note(`(${messageOf(error)})\n`);
  }
}

async function ask(session: Session, talk: Talk, message: string): Promise<void> {
  const { app, actor, interrupted: signal, out } = session;
  const { url, conversationId, goesOn } = talk;
  const { startAnswer } = await import('./answering/running-answers.js');
  const page = url === undefined ? undefined : { url, title: '' };
  const streamed = !out.json;
  const asked = { message, page, conversationId, channel: 'cli' as const, signal, streamed };
  const running = await startAnswer(app, actor, asked);
  talk.conversationId = running.conversationId;
  talk.cancel = () => running.cancel();
  try {
    const { sayHow, showAnswer } = await import('./answering/show-answer.js');
    if (streamed) {
      await showAnswer(session, running, goesOn);
      return;
    }
    const { presentReply } = await import('./answering/present-reply.js');
    const result = await running.result;
    out.line(presentReply(result), '');
    sayHow(session, result, goesOn);
  } finally {
    talk.cancel = undefined;
  }
}

/** The lines that a person types or a file contains. An empty line or the end of the input ends them. */
async function* questions(
  { terminal, interrupted, out }: Session,
  talk: Talk,
): AsyncGenerator<string, void, undefined> {
  const { createInterface } = await import('node:readline');
  const interactive = isInteractive(terminal);
  const reader = createInterface({
    input: terminal.stdin,
    output: terminal.stderr,
    terminal: interactive,
  });
  // Ctrl-C and Ctrl-D leave the cursor behind the prompt.
  if (interactive) reader.on('close', () => terminal.stderr.write('\n'));
  if (interactive) {
    out.note(
      'Ask one question after another; an empty line or Ctrl-D ends. Ctrl-C ends an answer.\n',
    );
  }
  // The terminal sends Ctrl-C to the reader, not to the process. During an answer, it cancels only the answer.
  reader.on('SIGINT', () => {
    if (talk.cancel === undefined) reader.close();
    else talk.cancel();
  });
  interrupted.addEventListener('abort', () => reader.close());
  if (interactive) reader.setPrompt('> ');
  if (interactive) reader.prompt();
  for await (const line of reader) {
    if (line.trim() === '' && interactive) break;
    if (line.trim() !== '') yield line.trim();
    if (interactive) reader.prompt();
  }
  reader.close();
}
