import type { App } from '../platform/app.js';
import type { Config } from '../platform/config/schema.js';
import { AppError } from '../platform/errors.js';
import { readTemplate } from '../platform/package-root.js';
import type { Language } from '../platform/text/languages.js';
import { shorten } from '../platform/text/shorten.js';
import type { Delivery, ResolvedRequest } from './notification.js';
import { DeliveryRefused } from './delivery-refused.js';

const templates: Record<Exclude<Language, 'other'>, string> = {
  en: 'mail/request-resolved.en.txt',
  es: 'mail/request-resolved.es.txt',
  de: 'mail/request-resolved.de.txt',
};

/** Characters of the question that a subject shows. */
const subjectLength = 80;

/**
 * Sends one notification by SMTP, in the language of its question. Throws what went wrong; DeliveryRefused where the
 * server will never take it: not a wrong password, which an operator may correct.
 */
export async function sendMail(app: App, delivery: Delivery): Promise<void> {
  const { host, from } = app.config.mail;
  if (host === '') throw new AppError('conflict', 'No mail server is configured (mail.host).');
  const transport = await openTransport(app.config.mail);
  try {
    const { subject, text } = writeMail(delivery.payload.request);
    await transport.sendMail({
      from,
      to: { name: '', address: delivery.target },
      subject,
      text,
      // The same at each attempt: a server that got it before can tell.
      messageId: `<${delivery.payload.messageId}@${domainOf(from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    throw isRefusedForGood(error) ? new DeliveryRefused(error) : error;
  } finally {
    transport.close();
  }
}

/** Connects to the mail server as for a message, signs in, and sends nothing. Throws what went wrong. */
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
    // What is sent comes from the database: no file or address in it is ever opened.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Whether the server has refused this recipient or this text. What it says of the connection, the sign-in or the sender
 * is for an operator to mend, and no message may be lost meanwhile: those codes lie below 550, or come before.
 */
function isRefusedForGood(error: unknown): boolean {
  const { responseCode = 0, command } = error as { responseCode?: number; command?: string };
  return responseCode >= 550 && (command === 'RCPT TO' || command === 'DATA');
}

/** Subject and text of the mail. The template's first line is its subject. */
export function writeMail(request: ResolvedRequest): { subject: string; text: string } {
  const language = request.language === 'other' ? 'en' : request.language;
  const [subject = '', ...lines] = readTemplate(templates[language]).split('\n');
  const question = shorten(request.question, subjectLength);
  return {
    // A line break in a subject would begin another header.
    subject: fill(subject, { ...request, question }).replaceAll(/\s+/g, ' '),
    text: fill(lines.join('\n').trimStart(), request),
  };
}

function fill(template: string, { question, response, url }: ResolvedRequest): string {
  const values: Record<string, string> = { question, response, url: url ?? '' };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'assistant.invalid';
}
