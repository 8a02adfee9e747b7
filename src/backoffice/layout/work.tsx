import type { ComponentChildren } from 'preact';

interface WorkProps {
  name: ComponentChildren;
  /** Facts about it. They stand at the end of the row, below the name where there is no room. */
  children?: ComponentChildren;
}

/** A row of a list of waiting work. */
export function Work({ name, children }: WorkProps) {
  return (
    <li class="work">
      <span>{name}</span> <span class="facts-beside">{children}</span>
    </li>
  );
}
