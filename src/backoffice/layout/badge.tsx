/** How a state is meant: a word always says it too. */
export type Tone = 'plain' | 'good' | 'warning' | 'bad';

export function Badge({ tone = 'plain', text }: { tone?: Tone; text: string }) {
  return <span class={tone === 'plain' ? 'badge' : `badge ${tone}`}>{text}</span>;
}
