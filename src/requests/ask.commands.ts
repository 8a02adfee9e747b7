import type { CommandGroup } from '../platform/cli/command-group.js';
import type { Session } from '../platform/cli/cli.js';
import { isInteractive } from '../platform/cli/terminal.js';
import { AppError, messageOf } from '../platform/errors.js';

interface AskOptions {
  url?: string;
  conversation?: string;
  interactive?: boolean;
  request?: boolean;
}

/** A conversation at the terminal: its page and conversation, and how to cancel the running answer. */
interface Talk {
  url: string | undefined;
  conversationId: string | undefined;
  goesOn: boolean;
  /** Whether questions without an answer are sent to the operators. */
  files: boolean;
  cancel: (() => void) | undefined;
}

export function addAskCommand(program: CommandGroup): void {
  program.add({
    name: 'ask',
    description: 'ask the assistant as an operator; answers may use every tier',
    arguments: [['[question...]', 'the question; - reads it from standard input']],
    options: [
      ['--url <url>', 'the page that the question is about'],
      ['--conversation <id>', 'continue an earlier conversation'],
      ['--interactive', 'ask one question after another'],
      ['--request', 'send a question without an answer to the operators, as a request'],
    ],
    answer:
      '{ response, conversationId, messageId, sources, found, canRequest, unsupported, withheld, status, suggestions?, mode, language, request? }, as a line for each answer',
    examples: [
      'assistant ask "How do I approve a batch?"',
      'assistant ask --interactive',
      'echo "How do I approve a batch?" | assistant ask -',
      'assistant ask "¿Quién ve lo interno?" --json | jq -r .response',
    ],
    async run(session, options: AskOptions, words: string[]) {
      const { url, conversation: conversationId } = options;
      const { interactive: goesOn = false, request: files = false } = options;
      const talk: Talk = { url, conversationId, goesOn, files, cancel: undefined };
      const given = words.join(' ');
      if (goesOn) await converse(session, talk, given);
      else if (!(await ask(session, talk, await questionOf(session, given)))) return 1;
      return session.interrupted.aborted ? 1 : 0;
    },
  });
}

/** The question from the arguments, else from standard input, else from the person at the terminal. */
async function questionOf({ terminal }: Session, given: string): Promise<string> {
  const { askFor } = await import('../platform/cli/prompts.js');
  const isPiped = given === '' && terminal.stdin.isTTY !== true;
  const { text } = await import('node:stream/consumers');
  const question = given === '-' || isPiped ? await text(terminal.stdin) : given;
  return askFor(terminal, question.trim(), { option: 'the question', what: 'Question' });
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

/** Asks one question. Returns false when the model broke off in its answer. */
async function ask(session: Session, talk: Talk, message: string): Promise<boolean> {
  const { app, actor, interrupted: signal, out } = session;
  const { url, conversationId, goesOn } = talk;
  const { startAnswer } = await import('../conversations/answering/running-answers.js');
  const page = url === undefined ? undefined : { url, title: '' };
  const streamed = !out.json;
  const asked = { message, page, conversationId, channel: 'cli' as const, signal, streamed };
  const running = await startAnswer(app, actor, asked);
  talk.conversationId = running.conversationId;
  talk.cancel = () => running.cancel();
  try {
    const { sayHow, showAnswer } = await import('../conversations/answering/show-answer.js');
    const { presentReply } = await import('../conversations/answering/present-reply.js');
    const result = streamed ? await showAnswer(session, running) : await running.result;
    const reply = presentReply(result);
    const request =
      reply.canRequest && talk.files ? await fileOpen(session, talk, message) : undefined;
    if (!streamed) out.line({ ...reply, request }, '');
    sayHow(session, result, goesOn);
    if (reply.canRequest) out.note(whereItGoes(request));
    return result.answer.failure === undefined;
  } finally {
    talk.cancel = undefined;
  }
}

/** Files an unanswered question. Returns the number of its request. */
async function fileOpen({ app, actor }: Session, talk: Talk, question: string): Promise<number> {
  const { fileRequest } = await import('./file-request.js');
  const { url, conversationId } = talk;
  return (await fileRequest(app, actor, { question, url, conversationId })).id;
}

function whereItGoes(request: number | undefined): string {
  return request === undefined
    ? 'Add --request to send such a question to the operators.'
    : `Sent to the operators as request ${request}. Answer it with: assistant requests resolve ${request}`;
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
