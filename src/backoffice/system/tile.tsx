import type { ComponentChildren } from 'preact';
import type { Tone } from '../layout/badge.js';
import { useShown } from '../layout/shown.js';

interface TileProps {
  name: string;
  /** The state, in a word or a number. */
  children: ComponentChildren;
  note?: ComponentChildren;
  /** The path of the page with more of it. */
  to?: string;
  /** Marks what needs attention; the words say it too. */
  tone?: Tone;
}

/** One fact of the state, in a list of tiles. */
export function Tile({ name, children, note, to, tone = 'plain' }: TileProps) {
  const { at } = useShown();
  return (
    <div class={tone === 'plain' ? undefined : tone}>
      <dt>{name}</dt>
      <dd class="value">{to === undefined ? children : <a href={at(to)}>{children}</a>}</dd>
      {note === undefined ? null : (
        <dd>
          <small>{note}</small>
        </dd>
      )}
    </div>
  );
}
