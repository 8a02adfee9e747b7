import type { Command } from 'commander';
import { withAnswer, withExamples, type Cli } from '../platform/cli/cli.js';
import { isInteractive, printable } from '../platform/cli/terminal.js';
import { AppError } from '../platform/errors.js';

/** To the commands about batches. */
export function addReview(batches: Command, cli: Cli): void {
  withExamples(
    withAnswer(batches.command('review'), '{batch_id, accepted, edited, rejected, left}')
      .argument('<id>', 'as batches list shows it')
      .description(
        'read the drafts of a batch one by one, and accept, edit (in $EDITOR) or reject each; ends with 5 while drafts are left',
      ),
    'assistant batches review 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10',
    'EDITOR="code --wait" assistant batches review 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10',
  ).action(async (id: string, _options: unknown, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { app, actor, out, terminal } = session;
      if (!isInteractive(terminal)) {
        const sentence = `A review needs a person at a terminal. Without one: assistant batches show ${id}, then batches approve.`;
        throw new AppError('usage', sentence);
      }
      const { getBatch } = await import('./review-batch.js');
      const { reviewAtTerminal } = await import('./review-at-terminal.js');
      const { batch, gone } = await getBatch(app, actor, id);
      out.note(`${printable(batch.fileName)}: ${batch.status}`);
      if (batch.status === 'processing') out.note('It is still being read: more drafts may come.');
      if (batch.supersededBy !== null) {
        out.note(`Batch ${batch.supersededBy} has taken over its drafts.`);
      }
      const { accepted, edited, rejected, left } = await reviewAtTerminal(session, id);
      const text = `${accepted} accepted, ${edited} edited, ${rejected} rejected, ${left} left.`;
      out.result({ batch_id: id, accepted, edited, rejected, left }, text);
      if (left > 0) out.note(`Go on with: assistant batches review ${id}`);
      if (gone.length > 0) {
        out.note(
          `The document says nothing any more of ${gone.length} entries: batches show lists them, batches approve ${id} --delete-gone deletes them.`,
        );
      }
      return left === 0 ? 0 : 5;
    });
  });
}
