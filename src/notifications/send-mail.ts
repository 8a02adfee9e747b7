import { plainText } from '../chat/markdown/plain-text.js';
import type { Language } from '../language/language-pack.js';
import type { App } from '../platform/app.js';
import type { Config } from '../platform/config/schema.js';
import { AppError, messageOf } from '../platform/errors.js';
import { readTemplate } from '../platform/package-root.js';
import { shorten } from '../platform/text/shorten.js';
import type { Delivery, DeliveryPayload } from './notification.js';

/** The most characters of a value in a subject. */
const subjectLength = 80;

/** Fills a mail's template in a language. Its first line is the subject. */
export function fillMail(
  name: 'request-resolved' | 'account-linked' | 'source-run' | 'source-failed',
  language: Language,
  values: Record<string, string>,
): { subject: string; text: string } {
  const written = language === 'other' ? 'en' : language;
  const [subject = '', ...lines] = readTemplate(`mail/${name}.${written}.txt`).split('\n');
  const shown = (value: string) => shorten(value, subjectLength);
  return {
    // A line break in a subject would start another header.
    subject: fill(subject, values, shown).replaceAll(/\s+/g, ' '),
    text: fill(lines.join('\n').trimStart(), values, (value) => value),
  };
}

function fill(
  template: string,
  values: Record<string, string>,
  shown: (value: string) => string,
): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : shown(value);
  });
}

/** The receiver has refused a message permanently, so another attempt is useless. */
export class DeliveryRefused extends Error {
  constructor(reason: unknown) {
    super(messageOf(reason), { cause: reason });
    this.name = 'DeliveryRefused';
  }
}

/**
 * Sends one notification by SMTP, in the language of its question. Throws on failure; DeliveryRefused when the server
 * will never accept it. A wrong password does not count, because an operator may correct it.
 */
export async function sendMail(app: App, delivery: Delivery): Promise<void> {
  const { host, from } = app.config.mail;
  if (host === '') throw new AppError('conflict', 'No mail server is configured (mail.host).');
  const transport = await openTransport(app.config.mail);
  try {
    const { subject, text } = writeMail(delivery.payload);
    await transport.sendMail({
      from,
      to: { name: '', address: delivery.target },
      subject,
      text,
      // The same at each attempt, so that a server detects a repetition.
      messageId: `<${delivery.payload.messageId}@${domainOf(from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    throw isRefusedForGood(error) ? new DeliveryRefused(error) : error;
  } finally {
    transport.close();
  }
}

/** Connects to the mail server and signs in as for a message, without sending. Throws on failure. */
export async function tryMailServer(settings: Config['mail']): Promise<void> {
  const transport = await openTransport(settings);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

async function openTransport(settings: Config['mail']) {
  const { host, port, security, user, password, timeout_ms } = settings;
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user === '' ? {} : { auth: { user, pass: password } }),
    connectionTimeout: timeout_ms,
    greetingTimeout: timeout_ms,
    socketTimeout: timeout_ms,
    // The content comes from the database: no file or address in it may ever be opened.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * True when the server has refused this recipient or text. Errors of the connection, the sign-in or the sender are for
 * the operator to fix, and must not lose messages: their codes are below 550, or come earlier.
 */
function isRefusedForGood(error: unknown): boolean {
  const { responseCode = 0, command } = error as { responseCode?: number; command?: string };
  return responseCode >= 550 && (command === 'RCPT TO' || command === 'DATA');
}

/** Mails are plain text, but people answer in Markdown. All other texts were written with the notification. */
function writeMail({ kind, request }: DeliveryPayload): { subject: string; text: string } {
  const { question, response, url, language } = request;
  if (kind === 'account_linked' || kind === 'source_run') {
    return { subject: question, text: response };
  }
  const values = { question, response: plainText(response), url: url ?? '' };
  return fillMail('request-resolved', language, values);
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'assistant.invalid';
}
