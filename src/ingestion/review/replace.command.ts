import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { carryOut, type Consent } from '../../platform/cli/carry-out.js';
import { wholeNumber } from '../../platform/cli/arguments.js';
import type { Argument, CommandGroup } from '../../platform/cli/command-group.js';
import { counted } from '../../platform/text/counted.js';
import { printable } from '../../platform/text/printable.js';
import type { BatchWithEntries } from '../batches/batch.js';

interface ReplaceOptions extends Consent {
  wholeLines?: boolean;
  entry?: number[];
}

const entryNumber = wholeNumber('--entry');

function gather(text: string, numbers: number[] = []): number[] {
  return [...numbers, entryNumber(text)];
}

/** Corrects in all drafts of a batch what its document repeats. */
export function addReplace(
  batches: CommandGroup,
  batch: Argument,
  find: (app: App, actor: Actor, called: string) => Promise<BatchWithEntries>,
): void {
  batches.add({
    name: 'replace',
    description: 'replace a text in the titles and texts of all drafts of a batch',
    arguments: [
      batch,
      ['<text>', 'as it is written in the drafts; upper and lower case count'],
      ['[replacement]', 'the new text; without it, the text is taken out'],
    ],
    options: [
      ['--whole-lines', 'only where it is a whole line, or a whole part of a title'],
      ['--entry <number>', 'only in this draft (see batches show; repeatable)', gather],
    ],
    consent: 'rehearses',
    answer: '{ success, replaced, refused: [{ id, title, message }], published }',
    examples: [
      'assistant batches replace 4d0f3a52 "Back to contents" --whole-lines --dry-run',
      'assistant batches replace 4d0f3a52 "Untitled document" "User guide"',
    ],
    async run(session, options: ReplaceOptions, called: string, text: string, given?: string) {
      const { replaceInDrafts } = await import('./replace-in-drafts.js');
      const { presentReplaced } = await import('./replace.schema.js');
      const { app, actor } = session;
      const { batch } = await find(app, actor, called);
      const { wholeLines = false, entry } = options;
      const drafts = entry?.map((id) => ({ name: String(id) }));
      const exchange = { find: text, replacement: given ?? '', wholeLines };
      const wanted = { batchId: batch.id, ...exchange, drafts };
      return carryOut(session, options, {
        work: (app) => replaceInDrafts(app, actor, wanted),
        tell: (done) => {
          const told = presentReplaced(done);
          return [told, `Changed ${told.replaced} of ${counted(done.open, 'draft')}.`];
        },
        notes: ({ refused, published }) => [
          ...refused.map(
            ({ name, title, error }) =>
              `${printable(title ?? name)} stays as it is: ${error.message}`,
          ),
          ...(published === 0
            ? []
            : [
                `${counted(published, 'published entry', 'published entries')} of the document also ${published === 1 ? 'has' : 'have'} this text, and nothing was changed there.`,
              ]),
        ],
      });
    },
  });
}
