import { calendarDay, oneLine, oneOf } from '../platform/cli/arguments.js';
import { named, type CommandGroup } from '../platform/cli/command-group.js';
import type { ExitCode, Session } from '../platform/cli/cli.js';
import { createProgress } from '../platform/cli/progress.js';
import { channels, type Channel } from '../usage/payer.js';
import { formats, ratings, type ExportFormat, type Rating } from './store/conversation.js';
import { entryArgument } from '../knowledge/edit-entry.commands.js';
import type { Page } from '../platform/db/select-page.js';
import { counted } from '../platform/text/counted.js';

interface ExportOptions {
  out: string;
  format?: ExportFormat;
  channel?: Channel;
  app?: string;
  user?: string;
  found?: 'true' | 'false';
  rating?: Rating;
  commented?: true;
  incomplete?: true;
  words?: string;
  from?: string;
  to?: string;
  yes?: boolean;
}

export function addConversationCommands(program: CommandGroup): void {
  const description = 'what people asked, and the answers that they got';
  program.group('conversations', description).add({
    name: 'export',
    description: 'write conversations with their messages to a file; the export is recorded',
    options: [
      [
        '--out <file>',
        'the file, which only its owner may read; - for standard output',
        undefined,
        '-',
      ],
      [
        '--format <format>',
        'jsonl: a line for each conversation; csv: a row for each message (default: by the name of the file, else jsonl)',
        oneOf('--format', formats),
      ],
      [
        '--channel <name>',
        `only over this channel: ${channels.join(', ')}`,
        oneOf('--channel', channels),
      ],
      ['--app <app>', `only those begun on pages of this app (its ${named})`],
      ['--user <user>', 'only those of this user (e-mail address or number), also in widgets'],
      [
        '--found <true|false>',
        'false: with a question that the knowledge could not answer; true: with one it could',
        oneOf('--found', ['true', 'false']),
      ],
      [
        '--rating <rating>',
        `only with an answer of this rating: ${ratings.join(' or ')}`,
        oneOf('--rating', ratings),
      ],
      ['--commented', 'only with a comment on an answer'],
      ['--incomplete', 'only with an answer that broke off'],
      [
        '--words <text>',
        'only with a message that has all of these words, other forms of them, or longer words that begin with them',
        oneLine('--words'),
      ],
      [
        '--from <day>',
        'only with a reply since this day, YYYY-MM-DD in the time zone of the organization (with --to, default: 29 days before it)',
        calendarDay('--from'),
      ],
      [
        '--to <day>',
        'only with a reply until this day (with --from, default: today)',
        calendarDay('--to'),
      ],
      ['--yes', 'write over a file without asking'],
    ],
    answer: '{ out, format, conversations }; on standard output, the file itself',
    examples: [
      'assistant conversations export --out november.csv --from 2026-11-01 --to 2026-11-30',
      'assistant conversations export --found false | jq -r ".messages[0].content"',
      'assistant conversations export --rating down --commented --format csv --out -',
    ],
    run: exportTo,
  });
}

async function exportTo(session: Session, options: ExportOptions): Promise<ExitCode> {
  const { app, actor, out, terminal } = session;
  const { exportConversations } = await import('./export-conversations.js');
  const { exportText } = await import('../platform/cli/write-text.js');
  const { getUserNamed } = await import('../accounts/users/manage-users.js');
  const { appIdNamed } = await import('../tenancy/name-site.js');
  const { out: target, channel, found, user, rating, commented, incomplete } = options;
  const { words: q, from, to } = options;
  const format = options.format ?? (target.endsWith('.csv') ? 'csv' : 'jsonl');
  const input = {
    format,
    channel,
    rating,
    commented,
    incomplete,
    q,
    from,
    to,
    appId: await appIdNamed(app, actor, options.app),
    userId: user === undefined ? undefined : (await getUserNamed(app, actor, user)).id,
    found: found === undefined ? undefined : found === 'true',
  };
  // The output itself on the terminal shows the progress.
  const isShown = target === '-' && terminal.stdout.isTTY === true;
  const progress = createProgress(terminal, out.json || out.quiet || isShown);
  let count = 0;
  // The writer begins it when its file is open: a file that can't be written leaves no record of an export.
  async function* pieces() {
    const identify = () => Promise.resolve(actor);
    yield* await exportConversations(app, identify, input, (done, total) => {
      count = done;
      progress.update(target, done, total, 'conversations');
    });
  }
  return exportText(session, {
    target,
    yes: options.yes,
    progress,
    pieces: pieces(),
    told: () => [{ out: target, format, conversations: count }, counted(count, 'conversation')],
  });
}

/** Adds `answers`: where an entry is used. */
export function addAnswersCommand(knowledge: CommandGroup): void {
  knowledge.list({
    name: 'answers',
    things: 'answers',
    description: 'list the stored answers that cite an entry, newest first',
    arguments: [entryArgument],
    first: 'No answer cites it. Test it with: assistant ask',
    examples: [
      'assistant knowledge answers 12',
      'assistant knowledge answers 0b5c0d6e --json | jq ".data[].question"',
    ],
    async load({ app, actor }, page: Page, called: string) {
      const { getEntryNamed } = await import('../knowledge/read-entries.js');
      const { listAnswersCiting } = await import('./list-answers-citing.js');
      const { presentCitingAnswer } = await import('./conversations.schema.js');
      const { uuid: name } = await getEntryNamed(app, actor, called);
      const listed = await listAnswersCiting(app, actor, { ...page, name });
      return { ...listed, present: presentCitingAnswer };
    },
    columns: [
      { title: 'when', value: ({ createdAt }) => createdAt, time: 'minute' },
      { title: 'channel', value: ({ channel }) => channel, spare: 1 },
      { title: 'rating', value: ({ rating }) => rating ?? '' },
      { title: 'conversation', value: ({ conversationId }) => conversationId, spare: 2 },
      { title: 'question', value: ({ question }) => question ?? '', flexible: true, cut: 'start' },
    ],
  });
}
