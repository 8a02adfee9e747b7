import type { Command } from 'commander';
import { withExamples, type Cli, type Session } from '../platform/cli/cli.js';
import { isInteractive, printable } from '../platform/cli/terminal.js';
import type { MessageResult } from './send-message.js';

interface AskOptions {
  url?: string;
  conversation?: string;
  interactive?: boolean;
}

export function addConversationCommands(program: Command, cli: Cli): void {
  withExamples(
    program
      .command('ask')
      .argument('[question...]')
      .description('ask the assistant, as an operator: it may use every tier')
      .option('--url <url>', 'the page that the question is about')
      .option('--conversation <id>', 'go on with an earlier conversation')
      .option('--interactive', 'ask one question after another'),
    'assistant ask "How do I approve a batch?"',
    'assistant ask --interactive',
    'assistant ask "¿Quién ve lo interno?" --json | jq -r .response',
  ).action(async (words: string[], options: AskOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      let conversationId = options.conversation;
      const ask = async (question: string) => {
        const result = await send(session, question, options.url, conversationId);
        conversationId = result.conversationId;
        await show(session, result, options.interactive === true);
      };
      const { askFor } = await import('../platform/cli/prompts.js');
      const asked = { option: 'the question', what: 'Question' };
      const first = words.join(' ');
      if (options.interactive !== true) await ask(await askFor(session.terminal, first, asked));
      else {
        if (first !== '') await ask(first);
        for await (const line of questions(session)) await ask(line);
        if (conversationId !== undefined)
          session.out.note(
            `Go on with: assistant ask --interactive --conversation ${conversationId}`,
          );
      }
      return 0;
    });
  });
}

async function send(
  { app, actor, interrupted }: Session,
  message: string,
  url: string | undefined,
  conversationId: string | undefined,
): Promise<MessageResult> {
  const { sendMessage } = await import('./send-message.js');
  const page = url === undefined ? undefined : { url, title: '' };
  return sendMessage(app, actor, {
    message,
    page,
    conversationId,
    channel: 'cli',
    signal: interrupted,
  });
}

async function show({ out }: Session, result: MessageResult, goesOn: boolean): Promise<void> {
  const { presentReply } = await import('./present-reply.js');
  const { answer, conversationId } = result;
  const { text: response, found, mode, complete } = answer;
  const list = answer.sources.map((source) => {
    const pages = source.pageFrom === null ? '' : `, page ${source.pageFrom}`;
    return `  [${source.number}] ${source.title}${pages}`;
  });
  out.line(
    presentReply(result),
    printable([response, ...(list.length > 0 ? ['', ...list] : [])].join('\n')),
  );
  const how = mode === 'ollama' ? 'answered by the model' : 'quoted from the knowledge';
  const origin = found ? [complete ? how : `${how}, which broke off: ask again for the rest`] : [];
  const where = goesOn ? [] : [`conversation ${conversationId}`];
  const facts = [...origin, ...where].join('; ');
  out.note(`${facts === '' ? '' : `\n(${facts})`}${goesOn ? '\n' : ''}`);
}

/** The lines that a person types, or that a file gives; an empty line or the end of the input ends them. */
async function* questions({
  terminal,
  interrupted,
  out,
}: Session): AsyncGenerator<string, void, undefined> {
  const { createInterface } = await import('node:readline');
  const interactive = isInteractive(terminal);
  const reader = createInterface({
    input: terminal.stdin,
    output: terminal.stderr,
    terminal: interactive,
  });
  // Ctrl-C and Ctrl-D leave the cursor behind the prompt.
  if (interactive) reader.on('close', () => terminal.stderr.write('\n'));
  if (interactive) out.note('Ask one question after another; an empty line or Ctrl-D ends.\n');
  reader.on('SIGINT', () => reader.close());
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
