import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { manualPath } from '../../docs/manual/render-manual.js';
import type { Turn } from '../../src/answers/question-context.js';
import { approveBatch } from '../../src/ingestion/review/approve-batch.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import { suggestionsOf } from '../../src/knowledge/suggestions.js';
import { createDocumentExtractor } from '../../src/documents/extract-document.js';
import { askInPublic } from '../support/ask-in-public.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

/** What newcomers ask the manual in the demo, without a model. */
describe('The product’s own manual', () => {
  let test: TestApp;
  let acme: TestOrganization;

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    const input = {
      fileName: 'manual.pdf',
      bytes: await readFile(manualPath()),
      domain: acme.domain,
    };
    const { batch } = await startIngestion(test.app, acme.operator, input);
    const extractor = createDocumentExtractor({ workers: 1, workerMemoryMb: 512 });
    await runDueBatches(test.app, extractor);
    await extractor.close();
    await approveBatch(test.app, acme.operator, { batchId: batch.id, entryIds: 'all' });
  });
  after(() => test.close());

  for (const [question, expected] of [
    ['How do I add a PDF?', /^To add a PDF[^]*1\. Run assistant ingest[^]*2\. Run [^]*review/],
    ['¿Cómo añado un PDF?', /^Para añadir[^]*1\. Ejecute assistant ingest[^]*2\. Ejecute/],
    ['Wie füge ich ein PDF hinzu?', /^Um ein PDF[^]*1\. Führen Sie assistant ingest[^]*2\. /],
    ['How do I upload a PDF?', /assistant ingest[^]*2\. /],
    ['¿Cómo subo un PDF?', /assistant ingest[^]*2\. /],
    ['Wie lade ich ein PDF hoch?', /assistant ingest[^]*2\. /],
    ['How do I reset a password?', /^To reset.*assistant users reset-password/],
    ['¿Cómo restablezco una contraseña?', /^Para restablecer.*assistant users reset-password/],
    ['Wie setze ich ein Passwort zurück?', /^Um das Kennwort.*assistant users reset-password/],
    ['How do I back up my data?', /assistant backup --keep/],
    ['How do I uninstall Assistant?', /^I found no answer/],
    ['¿Cómo desinstalo Assistant?', /^No he encontrado/],
    ['Wie deinstalliere ich Assistant?', /keine Antwort gefunden/],
    ['What happens when no answer is found?', /^When Assistant finds no answer.*says so/],
    ['¿Qué pasa cuando no se encuentra una respuesta?', /^Cuando Assistant no encuentra/],
    ['Was passiert, wenn keine Antwort gefunden wird?', /^Wenn Assistant keine Antwort/],
    ['What does Assistant do?', /^Assistant is a knowledge assistant.*reads PDF documents/],
    ['¿Qué hace Assistant?', /^Assistant es un asistente.*lee documentos PDF/],
    ['Was macht Assistant?', /^Assistant ist ein Wissensassistent.*liest PDF-Dokumente/],
    ['Can Assistant read scanned documents?', /To read scans, run .*ingestion\.ocr/],
    ['¿Puede Assistant leer documentos escaneados?', /escaneados.*se rechazan sin/],
    ['Kann Assistant gescannte Dokumente lesen?', /Gescannte Dokumente.*ohne Texterkennung/],
    ['Which files can I upload as a PDF?', /^A PDF file may be at most 50 MB/],
    ['¿Qué archivos puedo subir como PDF?', /^Un archivo PDF puede tener como máximo 50 MB/],
    ['Welche Dateien kann ich als PDF hochladen?', /^Eine PDF-Datei darf höchstens 50 MB/],
    ['Which languages are supported?', /English, Spanish and German/],
    ['¿En qué idiomas puedo preguntar?', /español, inglés y alemán/],
    ['In welchen Sprachen kann ich fragen?', /Deutsch, Englisch und Spanisch/],
    ['Welche Sprachen werden unterstützt?', /^Drei Sprachen/],
    ['¿Qué idiomas admite?', /^Se admiten tres idiomas/],
    ['Can I upload Word files?', /^Word files.* can be uploaded like a PDF/],
    ['¿Puedo subir archivos de Word?', /archivos de Word.* se pueden subir/],
    ['Kann ich Word-Dateien hochladen?', /Word-Dateien.* hochladen/],
    ['Where is my data stored?', /^All data is stored on your own machine/],
    ['¿Dónde se guardan mis datos?', /en su propia máquina/],
    ['Wo werden meine Daten gespeichert?', /auf Ihrem eigenen Rechner/],
    ['Is Assistant free?', /^Assistant is free/],
    ['¿Assistant es gratuito?', /^Assistant es gratuito/],
    ['Was kostet Assistant?', /^Assistant ist kostenlos/],
    ['How do I delete a user?', /assistant users delete/],
    ['¿Cómo borro un usuario?', /assistant users delete/],
    ['Wie lösche ich einen Benutzer?', /assistant users delete/],
    ['What is a widget key?', /^- A widget key is the public name/],
  ] as const)
    it(`answers: ${question}`, async () => {
      const { text } = await askInPublic(test, acme, question);
      assert.match(text, expected);
    });

  for (const [question, followUp, expected] of [
    ['What is a draft?', 'And who may delete them?', /^Only users .* delete drafts/],
    ['¿Qué es un borrador?', '¿Y quién puede borrarlos?', /^Solo las personas .* borradores/],
    ['Was sind Entwürfe?', 'Und wer darf sie löschen?', /^Nur Personen .* Entwürfe/],
  ] as const)
    it(`answers the follow-up: ${question} ${followUp}`, async () => {
      const { text: said } = await askInPublic(test, acme, question);
      const history: Turn[] = [
        { role: 'user', content: question },
        { role: 'assistant', content: said },
      ];
      assert.match((await askInPublic(test, acme, followUp, history)).text, expected);
    });

  for (const language of ['en', 'es', 'de'])
    it(`answers each suggested question from its own section: ${language}`, async () => {
      const titles: { title: string }[] = await test.app.db
        .read('knowledge_entries')
        .where({ language })
        .orderBy('id')
        .select('title');
      const entries = titles.map(({ title }) => ({ title, scope: 'domain_global' as const }));
      const suggestions = suggestionsOf(entries);
      assert.equal(suggestions.length, 4);
      for (const suggestion of suggestions) {
        const { sources } = await askInPublic(test, acme, suggestion);
        const own = titles.some(
          ({ title }) => title === sources[0]?.title && title.endsWith(` › ${suggestion}`),
        );
        assert.ok(own, `${suggestion}: ${sources[0]?.title ?? 'nothing'}`);
      }
    });
});
