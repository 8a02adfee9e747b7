import { Command } from 'commander';
import { addLoginCommands } from '../accounts/remote/login.commands.js';
import { addSsoCommands } from '../accounts/sso/sso.commands.js';
import { addTokenCommands } from '../accounts/tokens.commands.js';
import { addUserCommands } from '../accounts/users.commands.js';
import { addSearchCommand } from '../answers/search.commands.js';
import { addAuditCommands } from '../audit/audit.commands.js';
import { addConversationCommands } from '../conversations/conversations.commands.js';
import { addEvalCommands } from '../evaluation/eval.commands.js';
import { addKeyCommands } from '../federation/keys.commands.js';
import { addUnlinkCommand } from '../federation/unlink.commands.js';
import { addBatchCommands } from '../ingestion/batches.commands.js';
import { addIngestCommand } from '../ingestion/ingest.commands.js';
import { addDomainCommands } from '../knowledge/domains.commands.js';
import { addKnowledgeCommands } from '../knowledge/knowledge.commands.js';
import { addViewCommands } from '../knowledge/views.commands.js';
import { addBackupCommands } from '../operations/backup/backup.commands.js';
import { addRestoreCommand } from '../operations/backup/restore.commands.js';
import { addModelCommands } from '../operations/models.commands.js';
import { addOperationCommands } from '../operations/operations.commands.js';
import { addRemoveApp, addRemoveOrganization } from '../operations/remove-site.commands.js';
import { addVisibilityCommand } from '../operations/visibility/visibility.commands.js';
import { withExamples, type AddCommands, type Cli } from '../platform/cli/cli.js';
import { packageVersion } from '../platform/package-root.js';
import { addPeopleCommands } from '../privacy/people.commands.js';
import { addRetentionCommand } from '../privacy/retention.commands.js';
import { addReindexCommand } from '../retrieval/retrieval.commands.js';
import { addAppCommands } from '../tenancy/apps.commands.js';
import { addOrganizationCommands } from '../tenancy/orgs.commands.js';
import { addUsageCommand } from '../usage/usage.commands.js';
import { addRequestCommands } from '../requests/requests.commands.js';
import { addSnippetCommand } from '../widget/snippet.commands.js';
import { addCompletionCommand } from './completion.commands.js';
import { addDemoCommand } from './demo.commands.js';
import { addInitCommand } from './init.commands.js';
import { tellAnswers } from './json-answers.js';
import { addServerCommands } from './server.commands.js';
import { suggestCommands } from './suggest-commands.js';

/** Every command there is, in the order of the help. They load what they use when they run. */
const all: AddCommands[] = [
  addInitCommand,
  addServerCommands,
  addIngestCommand,
  addBatchCommands,
  (program, cli) => addKnowledgeCommands(program, cli, [addSearchCommand]),
  addReindexCommand,
  addConversationCommands,
  addRequestCommands,
  addEvalCommands,
  (program, cli) =>
    addOrganizationCommands(program, cli, [addRetentionCommand, addRemoveOrganization]),
  (program, cli) => addAppCommands(program, cli, [addRemoveApp]),
  addDomainCommands,
  addViewCommands,
  (program, cli) => addUserCommands(program, cli, [addUnlinkCommand]),
  addPeopleCommands,
  addSsoCommands,
  addLoginCommands,
  addTokenCommands,
  (program, cli) => addKeyCommands(program, cli, [addSnippetCommand]),
  addUsageCommand,
  (program, cli) => addAuditCommands(program, cli, [addVisibilityCommand]),
  addModelCommands,
  (program, cli) =>
    addBackupCommands(program, cli, async (config) => {
      const { openApp } = await import('./open-app.js');
      return openApp(config);
    }),
  addRestoreCommand,
  addOperationCommands,
  addDemoCommand,
  addCompletionCommand,
];

/** The program with all its options and commands; nothing is read or opened before one of them runs. */
export function createProgram(cli: Cli): Command {
  const program = new Command('assistant')
    .description(
      'The self-hosted knowledge assistant: documents in, approved knowledge, answers with sources.',
    )
    .option('--json', 'answer in JSON on standard output')
    .option('--quiet', 'say nothing but the result')
    .option('--config <file>', 'the configuration (else ASSISTANT_CONFIG, then ./config.yaml)')
    .option('--org <slug>', 'the organization to act in (else the first one)')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'say what this does')
    // Names alone: with what each takes there is no room beside them for what they do.
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .showHelpAfterError('(--help says more)')
    // Given down to the commands as they are made: what they throw is told as JSON where that is wanted.
    .exitOverride();
  for (const add of all) add(program, cli);
  withExamples(
    program,
    'assistant init',
    'assistant ingest ./manuals --domain docs.example.com --approve',
    'assistant ask "How do I reset my password?"',
    'assistant ingest --help',
  );
  tellAnswers(program);
  suggestCommands(program);
  return program;
}
