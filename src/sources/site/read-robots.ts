import { askForFile, type SiteConnection } from './fetch-answer.js';

/** What a site allows by its robots.txt (RFC 9309). */
export interface RobotRules {
  allows(url: URL): boolean;
  /** The addresses of its site maps, as written. */
  sitemaps: string[];
  /** Why the file can't be had. Then nothing is allowed. */
  failure?: string;
}

/** The part that is read, in bytes: RFC 9309 asks for at least 500 KiB. */
const mostBytes = 500 * 1024;
/** Each rule with a wildcard is tried with all of each address. */
const mostWildcardCharacters = 64 * 1024;
const everything: RobotRules = { allows: () => true, sitemaps: [] };

/**
 * Reads a site's robots.txt and slows the connection down to its Crawl-delay. A site without the file allows everything;
 * one whose file can't be had just now (5xx, no answer) allows nothing.
 */
export async function readRobots(
  connection: SiteConnection,
  origin: string,
  userAgent: string,
): Promise<RobotRules> {
  const url = new URL('/robots.txt', origin);
  const answer = await askForFile(connection, url, { mostBytes, cut: true }, () => true);
  if (answer.failure !== undefined) return nothing(answer.detail);
  if (answer.status >= 500 || answer.status === 429) return nothing(`it answers ${answer.status}`);
  return answer.status === 200 ? rulesOf(connection, url, answer.bytes, userAgent) : everything;
}

function nothing(failure: string): RobotRules {
  return { allows: () => false, sitemaps: [], failure };
}

interface RobotsParser {
  default: (
    url: string,
    text: string,
  ) => {
    isAllowed(url: string, robot: string): boolean | undefined;
    getCrawlDelay(robot: string): number | undefined;
    getSitemaps(): string[];
  };
}

async function rulesOf(
  connection: SiteConnection,
  { href }: URL,
  bytes: Uint8Array,
  userAgent: string,
): Promise<RobotRules> {
  // Its types describe a module of another kind than it is.
  const { default: parseRobots } = (await import('robots-parser')) as unknown as RobotsParser;
  const whole = new TextDecoder().decode(bytes);
  // The last line may be cut: half a rule forbids more than the whole one.
  const text = bytes.length < mostBytes ? whole : whole.slice(0, whole.lastIndexOf('\n') + 1);
  // Pages of errors and of applications that are sent for each address have no rules.
  if (/^\s*</.test(text)) return everything;
  const wildcards = text
    .split('\n')
    .filter((line) => line.includes('*') && !/^\s*user-agent/i.test(line));
  if (wildcards.reduce((sum, { length }) => sum + length, 0) > mostWildcardCharacters) {
    return nothing('its rules are too many');
  }
  const robots = parseRobots(href, text);
  const delay = robots.getCrawlDelay(userAgent);
  if (delay !== undefined && delay > 0) connection.slowDown(delay * 1000);
  return {
    allows: ({ href }) => robots.isAllowed(href, userAgent) !== false,
    sitemaps: robots.getSitemaps().slice(0, 100),
  };
}
