import { visibilities, type Visibility } from '../platform/actor.js';
import type { CommandGroup } from '../platform/cli/command-group.js';
import { oneOf, wholeNumber } from '../platform/cli/arguments.js';
import type { Session } from '../platform/cli/cli.js';
import { table } from '../platform/cli/table.js';
import { printable } from '../platform/text/printable.js';
import { AppError } from '../platform/errors.js';
import type { PlaceFit } from '../search/passages/place.js';
import type { ExplainedEntries } from './explain-entries.js';

interface SearchOptions {
  explain?: boolean;
  url?: string;
  tier?: Visibility;
  entry?: string;
  limit: number;
}

export function addSearchCommand(knowledge: CommandGroup): void {
  knowledge.add({
    name: 'search',
    description: 'search published entries, as answers do',
    arguments: [['<text...>', '']],
    options: [
      ['--limit <number>', 'passages, at most 100', wholeNumber('--limit', 1, 100), 10],
      ['--explain', 'show how each rank was computed'],
      ['--url <url>', 'with --explain: search as from this page'],
      [
        '--tier <tier>',
        `with --explain: search as a person who may see at most this tier: ${visibilities.join(', ')}`,
        oneOf('--tier', visibilities),
      ],
      ['--entry <entry>', 'with --explain: show why this entry is found or not'],
    ],
    answer:
      '{ data: [{ id, title, passage, score, coverage, page_from, page_to }] }; with --explain ExplainedSearch',
    examples: [
      'assistant knowledge search "reset a password"',
      'assistant knowledge search "reset a password" --explain --tier public --url https://docs.example.com/login',
      'assistant knowledge search "reset a password" --explain --entry 17',
    ],
    async run(session, options: SearchOptions, words: string[]) {
      const { explain, url, tier, entry } = options;
      if (explain !== true && (url ?? tier ?? entry) !== undefined) {
        throw new AppError('usage', '--url, --tier and --entry go with --explain.');
      }
      await (explain === true ? explained : plain)(session, words.join(' '), options);
      return 0;
    },
  });
}

async function plain({ app, actor, out }: Session, text: string, { limit }: SearchOptions) {
  const { explainEntries } = await import('./explain-entries.js');
  const { found } = await explainEntries(app, actor, { text, page: 1, limit });
  const rows = table(
    [
      { title: 'score', value: (row) => row.passage.score.toFixed(2) },
      { title: 'covers', value: (row) => percent(row.passage.coverage) },
      { title: 'pages', value: (row) => String(row.passage.pageFrom ?? '') },
      { title: 'title', value: (row) => row.passage.title, flexible: true, cut: 'start' },
      { title: 'passage', value: (row) => row.passage.body, flexible: true },
    ],
    found,
    out.width,
  );
  const data = found.map(({ entry, passage }) => ({
    id: entry.uuid,
    title: passage.title,
    passage: passage.body,
    score: passage.score,
    coverage: passage.coverage,
    page_from: passage.pageFrom,
    page_to: passage.pageTo,
  }));
  out.result({ data }, found.length === 0 ? '' : rows);
  if (found.length === 0) out.note('Nothing was found.');
}

async function explained({ app, actor, out }: Session, text: string, options: SearchOptions) {
  const { explainEntries } = await import('./explain-entries.js');
  const { presentSearch } = await import('./search.schema.js');
  const page = { page: 1, limit: options.limit };
  const { getEntryNamed } = await import('../knowledge/read-entries.js');
  const { url, tier, entry: called } = options;
  const entry = called === undefined ? undefined : (await getEntryNamed(app, actor, called)).uuid;
  const result = await explainEntries(app, actor, { text, url, tier, entry, ...page });
  const rows = result.found.length === 0 ? [] : [tableOf(result, out.width)];
  const why = entryLines(result);
  out.result(presentSearch(result, page), printable([...rows, ...why].join('\n')));
  const { scope, terms } = result;
  const unknown = terms.filter(({ known }) => !known).map((term) => term.text);
  const where = scope.appId === undefined ? 'all apps' : `app ${scope.appId}`;
  out.note(`Searched in ${where}, tiers ${scope.tiers.join(', ')}.`);
  if (unknown.length > 0) out.note(printable(`In no passage: ${unknown.join(', ')}.`));
  if (result.found.length === 0) out.note('Nothing was found.');
  else if (!result.answered)
    out.note('No passage is likely to contain the answer, so no answer would be given.');
}

function tableOf({ found }: ExplainedEntries, width: number): string {
  const two = (value: number | null) => (value === null ? '' : value.toFixed(2));
  return table(
    [
      { title: 'rank', value: ({ passage }) => String(passage.rank) },
      { title: 'score', value: ({ passage }) => two(passage.score) },
      { title: 'words', value: ({ passage }) => two(passage.parts.words) },
      { title: 'grams', value: ({ passage }) => two(passage.parts.grams) },
      { title: 'sentence', spare: 1, value: ({ passage }) => two(passage.parts.sentence) },
      { title: 'phrase', spare: 1, value: ({ passage }) => two(passage.parts.phrase) },
      { title: 'lang', value: ({ passage }) => two(passage.parts.language) },
      { title: 'place', value: ({ passage }) => `${two(passage.parts.place)} ${passage.fit}` },
      { title: 'vector', value: ({ passage }) => two(passage.parts.vector) },
      { title: 'trust', value: ({ passage }) => two(passage.parts.trust) },
      {
        title: 'covers',
        value: ({ passage: { coverage } }) => percent(coverage),
      },
      {
        title: 'likely',
        value: ({ passage: { likelihood, relevant } }) =>
          likelihood === null ? '' : `${percent(likelihood)}${relevant ? '' : ' (too little)'}`,
      },
      { title: 'tier', value: ({ entry }) => entry.visibility },
      { title: 'title', value: ({ passage }) => passage.title, flexible: true, cut: 'start' },
    ],
    found,
    width,
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

const fits: Record<PlaceFit, string> = {
  view: 'bound to the view of the page, and raised for it',
  pattern: 'its pattern matches the page, and raises it',
  domain: 'it belongs to the domain of the page, and is raised for it',
  app: 'it belongs to the whole app',
  elsewhere: 'it belongs elsewhere: not hidden for that, only not raised',
  no_page: 'no page was given',
};

function entryLines({ explained }: ExplainedEntries): string[] {
  if (explained === undefined) return [];
  const { entry, explanation } = explained;
  const { rank, eligible, fit, reasons } = explanation;
  const right = eligible ? 'may be used in an answer' : 'may not be used in an answer';
  const place = rank === null ? 'is not found' : `is found at rank ${rank}`;
  return [
    '',
    `${entry.title} (${entry.uuid}): ${right}, ${place}; ${fits[fit]}.`,
    ...reasons.map(({ code, message }) => `  ${code}: ${message}`),
  ];
}
