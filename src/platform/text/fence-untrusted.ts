/** The blocks of the prompts. */
const blocks = ['knowledge', 'passage', 'page', 'question', 'section'];
/** Words by which chat templates mark turns, between `<` and `>`. Roles are not: <user> is what manuals write too. */
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
/** The same between `[` and `]`. */
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

/** What a reader does not see may stand between the letters, so that the eye of a model reads the word all the same. */
const hidden = String.raw`[\s\p{Cf}]*`;
const spelled = (words: string[]) =>
  words.map((word) => word.replaceAll(/(?<=.)(?=.)/g, String.raw`\p{Cf}*`)).join('|');
const blockTag = new RegExp(
  `[<＜﹤](?=${hidden}(?:[/／]${hidden})?(?:${spelled(blocks)})(?![\\p{L}\\p{N}_]))`,
  'giu',
);
const turnTag = new RegExp(`<(?=/?(?:${turns.join('|')}|unused\\d+)>|</?SYS>>)`, 'gi');
const bracketTag = new RegExp(`\\[(/?(?:${bracketed.join('|')}))\\]`, 'g');
/** <|im_start|>, <|eot_id|> and their like: what is between the signs may be new tomorrow. */
const barTag = /<(?=[|｜]\S)/g;

/**
 * Text that is not ours, as it may stand in a prompt: it can't close the block that it stands in, nor open another;
 * and none of the marks are left in it by which chat templates tell turns and roles apart, since a model's server
 * reads those as such wherever they stand. It stays readable, and as long as it was.
 */
export function fenceUntrusted(text: string): string {
  return text
    .replaceAll(barTag, '‹')
    .replaceAll(turnTag, '‹')
    .replaceAll(blockTag, '‹')
    .replaceAll(bracketTag, '($1)');
}
