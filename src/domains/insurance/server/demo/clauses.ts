import { createHash } from 'node:crypto';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import { attach } from '#domains/files/server/index.ts';
import type { VersionDocument } from '../../contract/model/document.ts';
import { benefitSentence } from '../../contract/model/words.ts';
import { CLAUSE_FILE } from '../../contract/purposes.ts';
import { versionRecords } from '../products/records.ts';
import type { Stage } from './stage.ts';

/** Clauses of a version of the demonstration, plainly marked as made up: a file of its own, as if it had been uploaded for it. */
export async function writeClauses(
  { kernel, tx, now, maker }: Stage,
  version: { id: string; name: string; document: Omit<VersionDocument, 'clauseFileId'> },
): Promise<{ clauseFileId: string; clauseSha256: string }> {
  const { id, name, document } = version;
  const body = renderPdf({
    title: `${name}条款`,
    watermark: '演示资料 仅供体验',
    footer: '演示资料',
    blocks: [
      { kind: 'title', text: `${name}条款`, note: '演示资料' },
      {
        kind: 'fields',
        fields: [
          ['备案号', document.filingNo],
          ['生效日', document.effectiveFrom],
        ],
      },
      ...document.benefits.map((benefit) => ({ kind: 'text' as const, text: benefitSentence(benefit, document) })),
    ],
  });
  const file = { purpose: CLAUSE_FILE, name: `${name}条款.pdf`, body, contentType: 'application/pdf', createdBy: maker.id };
  const { fileId } = await kernel.ports.files.store(tx, file, now);
  const use = { fileIds: [fileId], purpose: CLAUSE_FILE, ownerType: versionRecords.type, ownerId: id, field: 'clause', userId: maker.id };
  await attach(tx, use, now);
  return { clauseFileId: fileId, clauseSha256: createHash('sha256').update(body).digest('hex') };
}
