/** The block names of our prompts. */
const blocks = ['knowledge', 'passage', 'page', 'question', 'section'];
/** Words that mark turns in chat templates, between `<` and `>`. Roles are left out: manuals write <user> too. */
const turns = [
  's',
  'bos',
  'eos',
  'pad',
  'unk',
  'mask',
  'think',
  'tool_call',
  'tool_response',
  'start_of_turn',
  'end_of_turn',
  'start_of_image',
  'image_soft_token',
  'begin_of_text',
  'end_of_text',
  'endoftext',
];
/** Words that mark turns in chat templates, between `[` and `]`. */
const bracketed = [
  'INST',
  'SYSTEM_PROMPT',
  'AVAILABLE_TOOLS',
  'TOOL_CALLS',
  'TOOL_RESULTS',
  'TOOL_CONTENT',
  'IMG',
  'THINK',
  'ARGS',
  'PREFIX',
  'SUFFIX',
  'MIDDLE',
];

/** Invisible characters may stand between the letters. A model still reads the word. */
const hidden = String.raw`[\s\p{Cf}]*`;
const spelled = (words: string[]) =>
  words.map((word) => word.replaceAll(/(?<=.)(?=.)/g, String.raw`\p{Cf}*`)).join('|');
const blockTag = new RegExp(
  `[<＜﹤](?=${hidden}(?:[/／]${hidden})?(?:${spelled(blocks)})(?![\\p{L}\\p{N}_]))`,
  'giu',
);
const turnTag = new RegExp(`<(?=/?(?:${turns.join('|')}|unused\\d+)>|</?SYS>>)`, 'gi');
const bracketTag = new RegExp(`\\[(/?(?:${bracketed.join('|')}))\\]`, 'g');
/** <|im_start|>, <|eot_id|> and similar. Any word between the signs counts, because new models invent new ones. */
const barTag = /<(?=[|｜]\S)/g;

/**
 * Makes foreign text safe inside a prompt. The text can't close its block or open another, and contains no marks by
 * which chat templates separate turns and roles: a model's server interprets those anywhere. The text stays readable
 * and keeps its length.
 */
export function fenceUntrusted(text: string): string {
  return text
    .replaceAll(barTag, '‹')
    .replaceAll(turnTag, '‹')
    .replaceAll(blockTag, '‹')
    .replaceAll(bracketTag, '($1)');
}
