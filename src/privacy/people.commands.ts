import type { Argument, CommandGroup } from '../platform/cli/command-group.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import type { ExitCode, Session } from '../platform/cli/cli.js';
import { fileTrouble } from '../platform/cli/file-trouble.js';
import { askFor } from '../platform/cli/prompts.js';
import { counted } from '../platform/text/counted.js';
import { printable } from '../platform/text/printable.js';
import { AppError, messageOf } from '../platform/errors.js';
import type { Erasure } from './erase-person.js';

interface ExportOptions {
  out?: string;
}

const argument: Argument = [
  '<person>',
  'an e-mail address, user:7, end_user:12, visitor:<uuid> or conversation:<uuid>',
];

export function addPeopleCommands(program: CommandGroup): void {
  const description = 'what is stored about a user, an end user of a site or a visitor';
  const people = program.group('people', description);
  people.add({
    name: 'export',
    description: 'write everything that is stored about a person to a zip of JSON files',
    arguments: [argument],
    options: [['--out <file>', 'the new zip, which only its owner may read']],
    answer: '{ person, found, out, rows }: rows by the name of their file',
    examples: [
      'assistant people export ada@example.com --out ada.zip',
      'assistant people export visitor:7d1f0a52-3c1b-4e55-9a43-0c7b7c1f6f0e --out visitor.zip --json',
    ],
    run: exportTo,
  });
  people.add({
    name: 'erase',
    description:
      'delete everything that is stored about a person, for good (to delete only the account: users delete)',
    arguments: [argument],
    consent: 'asks',
    answer:
      '{ person, found, linked_account, linked_identities, rows, rewritten, published_entries }',
    examples: [
      'assistant people erase ada@example.com --dry-run',
      'assistant people erase end_user:12 --yes --json',
    ],
    async run(session, options: Consent, name: string) {
      const { readPersonName } = await import('./person.js');
      const { erasePerson } = await import('./erase-person.js');
      const { presentErasure } = await import('./privacy.schema.js');
      const named = readPersonName(name);
      const done: { erasure?: Erasure } = {};
      const code = await carryOut(session, options, {
        question: `Erase all that is stored about ${printable(name)}? This can't be undone.`,
        work: (app) => erasePerson(app, session.actor, named),
        tell: (erasure) => {
          done.erasure = erasure;
          const rows = Object.entries(erasure.rows).map(([table, count]) => `  ${table}: ${count}`);
          const who = printable(all(erasure.person, erasure.found));
          const text = [`Erased ${who}:`, ...rows].join('\n');
          return [presentErasure(erasure), text];
        },
      });
      const { out } = session;
      const { linkedAccount, publishedEntries = [], rewritten } = done.erasure ?? {};
      if (linkedAccount !== undefined) {
        out.note(`The same person has the account ${linkedAccount}, which stays.`);
      }
      if (publishedEntries.length > 0) {
        const count = publishedEntries.length;
        out.note(`${count} published entries answer their questions. They stay: read their texts.`);
      }
      if (code !== 0 || options.dryRun === true) return code;
      out.note('Backups and copies made before a migration still hold it: docs/privacy.md.');
      if (rewritten === true) return 0;
      out.note('The database is busy: the server rewrites its file within the hour.');
      return 5;
    },
  });
}

async function exportTo(
  { app, actor, out, terminal }: Session,
  options: ExportOptions,
  name: string,
): Promise<ExitCode> {
  const { open, rm } = await import('node:fs/promises');
  const { readPersonName } = await import('./person.js');
  const { exportPerson } = await import('./export-person.js');
  const named = readPersonName(name);
  const file = await askFor(terminal, options.out, { option: '--out', what: 'File of the zip' });
  // Create the file first: a failure here must not leave a record of an export.
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
    const sentence = `--out: ${file} can't be created (${messageOf(error)}). Name a new file.`;
    throw new AppError('usage', sentence, { cause: error });
  });
  try {
    const { person, found, rows, zip } = await exportPerson(app, actor, named);
    await handle.writeFile(zip);
    const count = Object.values(rows).reduce((all, one) => all + one, 0);
    const text = `Wrote ${counted(count, 'row')} about ${printable(all(person, found))} to ${printable(file)}.`;
    out.result({ person, found, out: file, rows }, text);
    return 0;
  } catch (error) {
    await rm(file, { force: true });
    throw fileTrouble(error) ?? error;
  } finally {
    await handle.close();
  }
}

/** A person who was found by an address is listed after it. */
function all(person: string, found: string[]): string {
  return [...new Set([person, ...found])].join(', ');
}
