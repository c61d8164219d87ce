import { command } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { revealQualApply } from '../../contract/calls/qual.ts';
import { own } from '../database.ts';
import { appliesSeen, applyRecords } from './access.ts';
import { formerCerts, formerOf } from './detail.ts';
import { sourcesOf, type QualPayload, type StoredFacts } from './payload.ts';
import { APPLY_TARGET } from './submit.ts';

/** Numbers in full; the look is logged with the application. */
export const reveal = (kernel: Kernel) =>
  command(revealQualApply, async ({ applyId }, ctx) => {
    const row = await appliesSeen(own(ctx.tx), ctx.staff)
      .select(['q.id', 'q.applyNo', 'q.doctorId', 'q.payload', 'q.before'])
      .where('q.id', '=', applyId)
      .executeTakeFirst();
    if (!row) throw applyRecords.missing();
    const plain = (cipher: string | null | undefined) => (cipher ? kernel.secrets.decrypt(cipher) : null);
    const { facts, certs } = row.payload as QualPayload;
    const formers = await formerCerts(ctx.tx, row.doctorId, row.id);
    ctx.target({ type: APPLY_TARGET, id: row.id, no: row.applyNo });
    return {
      idNo: plain(facts.idNoCipher),
      formerIdNo: plain((row.before as StoredFacts).idNoCipher),
      certs: certs.map((cert) => {
        const { typed, read, confirmed } = sourcesOf(kernel.secrets, cert);
        return {
          id: cert.id,
          typed: typed.certNo ?? null,
          read: read.certNo ?? null,
          confirmed: confirmed.certNo ?? null,
          former: plain(formerOf(formers, cert)?.certNoCipher),
        };
      }),
    };
  });
