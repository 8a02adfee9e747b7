import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { readTemplate } from '../platform/package-root.js';
import type { Language } from '../platform/text/languages.js';
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
 * server will never take it.
 */
export async function sendMail(app: App, delivery: Delivery): Promise<void> {
  const { host, port, security, user, password, from, timeout_ms } = app.config.mail;
  if (host === '') throw new AppError('conflict', 'No mail server is configured (mail.host).');
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
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
    const { responseCode } = error as { responseCode?: number };
    if (responseCode !== undefined && responseCode >= 500) throw new DeliveryRefused(error);
    throw error;
  } finally {
    transport.close();
  }
}

/** Subject and text of the mail. The template's first line is its subject. */
export function writeMail(request: ResolvedRequest): { subject: string; text: string } {
  const language = request.language === 'other' ? 'en' : request.language;
  const [subject = '', ...lines] = readTemplate(templates[language]).split('\n');
  const question = request.question.replaceAll(/\s+/g, ' ').trim();
  const shortened =
    question.length > subjectLength ? `${question.slice(0, subjectLength - 1)}…` : question;
  return {
    // A line break in a subject would begin another header.
    subject: fill(subject, { ...request, question: shortened }).replaceAll(/\s+/g, ' '),
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
