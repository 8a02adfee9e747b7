import { entryArgument } from '../knowledge/edit-entry.commands.js';
import type { CommandGroup } from '../platform/cli/command-group.js';
import type { Page } from '../platform/db/select-page.js';

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
