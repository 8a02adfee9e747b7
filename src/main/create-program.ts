import { Command } from 'commander';
import { addLoginCommands } from '../accounts/remote/login.commands.js';
import { addSsoCommands } from '../accounts/sso/sso.commands.js';
import { addTokenCommands } from '../accounts/tokens.commands.js';
import { addUserCommands } from '../accounts/users.commands.js';
import { addSearchCommand } from '../answers/search.commands.js';
import {
  addAnswersCommand,
  addConversationCommands,
} from '../conversations/conversations.commands.js';
import { addAuditCommands } from '../audit/audit.commands.js';
import { addAskCommand } from '../requests/ask.commands.js';
import { addEvalCommands } from '../evaluation/eval.commands.js';
import { addKeyCommands } from '../federation/keys.commands.js';
import { addUnlinkCommand } from '../federation/unlink.commands.js';
import { addSourceCommands } from '../sources/sources.commands.js';
import { addBatchCommands } from '../ingestion/review/batches.commands.js';
import { addIngestCommand } from '../ingestion/bulk/ingest.commands.js';
import { addDomainCommands } from '../tenancy/domains.commands.js';
import { addKnowledgeCommands } from '../knowledge/knowledge.commands.js';
import { addTransferCommands } from '../knowledge/transfer/transfer.commands.js';
import { addViewCommands } from '../tenancy/views.commands.js';
import { addBackupCommands } from '../operations/backup/backup.commands.js';
import { addRestoreCommand } from '../operations/backup/restore.commands.js';
import { addConfigCommands } from '../operations/config/config.commands.js';
import { addLogsCommand } from '../operations/logs/logs.commands.js';
import { addModelCommands } from '../operations/models.commands.js';
import { addDoctorCommand } from '../operations/doctor.commands.js';
import { addServiceCommands } from '../operations/service/service.commands.js';
import { addStatusCommand } from '../operations/status.commands.js';
import { addMigrateCommand } from '../operations/upgrade/migrate.commands.js';
import { addUpgradeCommand } from '../operations/upgrade/upgrade.commands.js';
import { addVisibilityCommand } from '../operations/visibility/visibility.commands.js';
import { CommandGroup } from '../platform/cli/command-group.js';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import { packageVersion } from '../platform/package-root.js';
import { addWebhookCommands } from '../notifications/webhooks.commands.js';
import { addPeopleCommands } from '../privacy/people.commands.js';
import { addRetentionCommand } from '../privacy/retention.commands.js';
import { addReindexCommand } from '../search/reindex.commands.js';
import { addAppCommands } from '../tenancy/apps.commands.js';
import { addOrganizationCommands } from '../tenancy/orgs.commands.js';
import { addUsageCommand } from '../usage/usage.commands.js';
import { addRequestCommands } from '../requests/requests.commands.js';
import { addSnippetCommand } from '../widget/snippet.commands.js';
import { addDemoCommand, addServerCommands } from './server.commands.js';
import { addCompletionCommands } from './completion.commands.js';
import { addOpenCommand } from './open.commands.js';
import { addInitCommand } from './init.commands.js';
import { closestWord } from '../platform/text/closest-word.js';

/**
 * All commands in the order of the help, each with the words that begin it. Each loads its code when it runs. Those of
 * the completion have no words, since they read the names of all others.
 */
const all: [words: string, add: (program: CommandGroup) => void][] = [
  ['init', addInitCommand],
  ['serve worker', addServerCommands],
  ['status', addStatusCommand],
  ['logs', addLogsCommand],
  ['open', addOpenCommand],
  [
    'ingest',
    (program) =>
      addIngestCommand(program, async (...site) => {
        const { ingestSite } = await import('../sources/ingest-site.js');
        return ingestSite(...site);
      }),
  ],
  ['sources', addSourceCommands],
  ['batches', addBatchCommands],
  [
    'knowledge',
    (program) => {
      const knowledge = addKnowledgeCommands(program);
      addTransferCommands(knowledge);
      addSearchCommand(knowledge);
      addAnswersCommand(knowledge);
    },
  ],
  ['reindex', addReindexCommand],
  ['ask', addAskCommand],
  ['conversations', addConversationCommands],
  ['requests', addRequestCommands],
  ['eval', addEvalCommands],
  ['orgs', (program) => addRetentionCommand(addOrganizationCommands(program))],
  ['apps', addAppCommands],
  ['domains', addDomainCommands],
  ['views', addViewCommands],
  ['users', (program) => addUnlinkCommand(addUserCommands(program))],
  ['people', addPeopleCommands],
  ['sso', addSsoCommands],
  ['login logout', addLoginCommands],
  ['tokens', addTokenCommands],
  ['keys', (program) => addSnippetCommand(addKeyCommands(program))],
  ['webhooks', addWebhookCommands],
  ['usage', addUsageCommand],
  ['audit', (program) => addVisibilityCommand(addAuditCommands(program))],
  ['config', addConfigCommands],
  ['models', addModelCommands],
  [
    'backup',
    (program) =>
      addBackupCommands(program, async (config) => {
        const { openApp } = await import('./open-app.js');
        return openApp(config);
      }),
  ],
  ['restore', addRestoreCommand],
  ['doctor', addDoctorCommand],
  ['upgrade', addUpgradeCommand],
  ['migrate', addMigrateCommand],
  ['service', addServiceCommands],
  ['demo', addDemoCommand],
  ['', addCompletionCommands],
];

/**
 * The program with all options and commands, or only with the command that `word` begins, if it begins one: all take
 * much of the time of a start. Nothing is read or opened before a command runs.
 */
export function createProgram(cli: Cli, word = ''): Command {
  const program = new Command('assistant')
    .description(
      'The self-hosted knowledge assistant: documents in, approved knowledge, answers with sources.',
    )
    .option('--json', 'print the result as JSON on standard output')
    .option('--quiet', 'print only the result')
    .option(
      '--config <file>',
      'the configuration file (default: ASSISTANT_CONFIG, then ./config.yaml)',
    )
    .option('--org <slug>', 'the organization to act in (default: the first one)')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    // Only names: with their parameters there would be no room for descriptions.
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) => command.name(),
      commandUsage: usageOf,
    })
    .showHelpAfterError('(--help says more)')
    // Commands inherit this when they are created: with --json, their errors are printed as JSON.
    .exitOverride();
  const group = new CommandGroup(program, cli);
  const named = all.filter(([words]) => word !== '' && words.split(' ').includes(word));
  for (const [, add] of named.length > 0 ? named : all) add(group);
  withExamples(
    program,
    'assistant init',
    'assistant ingest ./manuals --domain docs.example.com --approve',
    'assistant ask "How do I reset my password?"',
    'assistant ingest --help',
  );
  suggestCommands(program);
  return program;
}

/** The usage line without the command's former names. */
function usageOf(command: Command): string {
  const words = [command.usage()];
  for (let one: Command | null = command; one !== null; one = one.parent) words.unshift(one.name());
  return words.join(' ');
}

/** Words that other programs use for the same action. */
const sameThings = [
  ['list', 'ls', 'all'],
  ['show', 'get', 'view', 'info', 'describe'],
  ['create', 'add', 'mint', 'new', 'make'],
  ['edit', 'update', 'change', 'modify', 'set'],
  ['remove', 'delete', 'revoke', 'dismiss', 'rm', 'del'],
];

/** With fewer commands, all are named when none is similar. */
const few = 16;

/** Makes the program and each group suggest a command for an unknown word. */
function suggestCommands(command: Command): void {
  for (const one of command.commands) suggestCommands(one);
  if (command.commands.length === 0) return;
  command.on('command:*', ([word = '']: string[]) => {
    const names = command.commands.map((one) => one.name());
    command.error(`error: unknown command '${word}'${hint(word, names)}`, {
      code: 'commander.unknownCommand',
    });
  });
}

function hint(word: string, names: string[]): string {
  const meant = commandMeant(word, names);
  if (meant !== undefined) return `\n(Did you mean ${meant}?)`;
  return names.length < few ? `\n(There are: ${names.join(', ')})` : '';
}

/** `rotate` means rotate-key, and `rm` means delete, although other names share more letters. */
function commandMeant(word: string, names: string[]): string | undefined {
  const beginning = names.filter((name) => name.startsWith(`${word}-`));
  if (beginning.length === 1) return beginning[0];
  const same = sameThings.find((words) => words.includes(word)) ?? [];
  return names.find((name) => same.includes(name)) ?? closestWord(word, names);
}
