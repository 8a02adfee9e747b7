import { useShown } from '../layout/shown.js';

interface BelowSystemProps {
  words: { title: string; about: string };
  /** A command or a folder, shown after `about`. */
  what: string;
}

/** The head of a page below the page System. */
export function BelowSystem({ words, what }: BelowSystemProps) {
  const { say, at } = useShown();
  return (
    <>
      <p class="above">
        <a href={at('/system')}>{say.system.title}</a>
      </p>
      <h1>{words.title}</h1>
      <p class="hint">
        {words.about} <code>{what}</code>
      </p>
    </>
  );
}
