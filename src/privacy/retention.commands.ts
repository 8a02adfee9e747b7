import type { CommandGroup } from '../platform/cli/command-group.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import { AppError } from '../platform/errors.js';
import { didYouMean } from '../platform/text/closest-word.js';
import { counted } from '../platform/text/counted.js';
import { longestDays, retentionKinds, type RetentionChange } from './retention.js';

interface RetentionOptions extends Consent {
  set?: string[];
}

export function addRetentionCommand(orgs: CommandGroup): void {
  orgs.add({
    name: 'retention',
    description: 'show or set for how many days the organization keeps each kind of data',
    options: [
      [
        '--set <kind=days>',
        `days of a kind (${retentionKinds.join(', ')}); 0 keeps it for ever, default uses the configuration (repeatable)`,
        (text: string, before: string[] | undefined) => [...(before ?? []), text],
      ],
    ],
    consent: 'rehearses',
    answer: '{ conversations: { days, own }, … }: each kind; 0 days is for ever',
    examples: [
      'assistant orgs retention',
      'assistant orgs retention --org globex --set conversations=365 --set audit=0',
      'assistant orgs retention --set usage=default --json',
    ],
    async run(session, options: RetentionOptions) {
      const { setRetention } = await import('./manage-retention.js');
      const change = readChange(options.set ?? []);
      return carryOut(session, options, {
        work: (app) => setRetention(app, session.actor, change),
        tell: (retention) => {
          const lines = retentionKinds.map((kind) => {
            const { days, own } = retention[kind];
            const kept = days === 0 ? 'for ever' : counted(days, 'day');
            return `${kind.padEnd(15)} ${kept}${own ? '' : ' (configuration)'}`;
          });
          return [retention, lines.join('\n')];
        },
      });
    },
  });
}

function readChange(texts: string[]): RetentionChange {
  const change: RetentionChange = {};
  for (const text of texts) {
    const [name = '', value = ''] = text.split('=');
    const kind = retentionKinds.find((one) => one === name);
    if (kind === undefined) {
      const hint = didYouMean(name, retentionKinds);
      throw new AppError('usage', `--set: there is no kind ${JSON.stringify(name)}.${hint}`);
    }
    const days = value === 'default' ? null : Number(value);
    const isDays = days === null || (/^\d+$/.test(value) && days <= longestDays);
    if (!isDays) {
      const sentence = `--set: expected ${kind}=<days>, 0 to ${longestDays}, or ${kind}=default, not ${JSON.stringify(text)}.`;
      throw new AppError('usage', sentence);
    }
    change[kind] = days;
  }
  return change;
}
