import type { ComponentChildren } from 'preact';
import { z } from 'zod';
import { useShown } from './shown.js';

/** A choice of a filter in an address. An empty or unknown one means all. */
export function choiceOf<const T extends string>(values: readonly T[]) {
  return z.enum(values).or(z.literal('')).catch('').default('');
}

/** The filters of a list, as a form that opens the list with them. */
export function Filters({ children, active }: { children: ComponentChildren; active: boolean }) {
  const { say, at, path } = useShown();
  return (
    <form class="filters" method="get" action={at(path)} role="search">
      {children}
      <button>{say.labels.filter}</button>
      {active ? <a href={at(path)}>{say.labels.clearFilter}</a> : null}
    </form>
  );
}

/** Filters that are needed seldom: closed, unless one of them is set. */
export function MoreFilters({
  children,
  active,
}: {
  children: ComponentChildren;
  active: boolean;
}) {
  const { say } = useShown();
  return (
    <details class="more-filters" open={active}>
      <summary>{say.list.more}</summary>
      <div class="filters">{children}</div>
    </details>
  );
}

/** The text of a list without rows: it explains the list, or says that nothing matches the filters. */
export function Nothing({ active, text }: { active: boolean; text: string }) {
  const { say } = useShown();
  return <p class="nothing">{active ? say.list.noneFits : text}</p>;
}
