import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { own } from '../database.ts';
import { count, type Counted, type HeardMessage } from '../rules/hearing.ts';
import type { Check, Look } from './check.ts';

const SAMPLE = 300;

/** The print as it lies in storage; null where nothing can be read. */
async function hashOf({ kernel, db }: Look, fileId: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    const { body } = await kernel.ports.files.openRead(db, fileId);
    for await (const chunk of body) hash.update(chunk as Buffer);
  } catch {
    return null;
  }
  return hash.digest('hex');
}

/** I10: prints are what they were; those archived lately, and some of the others every night. */
const archived: Check = {
  name: '归档就诊小结校验码不符',
  async broken(look) {
    const rows = await own(look.db)
      .selectFrom('consultationVisitRecord')
      .select(['archivedFileId', 'sha256'])
      .where('archivedFileId', 'is not', null)
      .orderBy(sql`archived_at > ${look.since}`, 'desc')
      .orderBy(sql`md5(id::text || ${look.now.slice(0, 10)})`)
      .limit(SAMPLE)
      .execute();
    let broken = 0;
    for (const { archivedFileId, sha256 } of rows)
      if (archivedFileId === null || (await hashOf(look, archivedFileId)) !== sha256) broken += 1;
    return broken;
  },
};

interface Heard {
  id: string;
  roundUsed: number;
  doctorReplyCount: number;
  endSeq: string | null;
  /** Roles in the order of the numbers: of people alone, engines answer nobody. */
  roles: string | null;
}
const ROLES: Readonly<Record<string, HeardMessage['role']>> = { P: 'PATIENT', D: 'DOCTOR', A: 'ASSISTANT' };
const none: Counted = { used: 0, open: false, doctorReplies: 0, firstDoctorReplyAt: null, firstAssistantReplyAt: null };

/**
 * I12: rounds and replies are what the messages of the range say; of a service that was taken up again nobody counted what was said in
 * between.
 */
const recounted: Check = {
  name: '轮次或回复数与消息不符',
  async broken({ db, since }) {
    const { rows } = await sql<Heard>`
      select i.id, i.round_used, i.doctor_reply_count, i.end_seq,
          (
            select string_agg(left(m.sender_id, 1), '' order by m.seq)
              from consultation_im_message m
              where m.conv_id = g.conv_id
                and m.seq between i.start_seq and coalesce(i.end_seq, g_last.last_seq)
                and not m.auto
                and left(m.sender_id, 1) in ('P', 'D', 'A')
          ) as roles
        from consultation_inquiry i
        join consultation_medical_group g on g.group_id = i.group_id
        join consultation_im_conversation g_last on g_last.conv_id = g.conv_id
        where i.start_seq is not null
          and i.server_status in ('2', '3', '4')
          and g.last_message_at > ${since}
          and not exists (
            select from kernel_audit_trail t
              where t.target_type = 'consultation.inquiry' and t.target_id = i.id::text and t.action = 'reopen'
          )`.execute(db);
    return rows.filter(({ roles, roundUsed, doctorReplyCount }) => {
      const counted = [...(roles ?? '')].reduce((so, letter) => count(so, { role: ROLES[letter] ?? 'PATIENT', at: since }), none);
      return counted.used !== roundUsed || counted.doctorReplies !== doctorReplyCount;
    }).length;
  },
};

export const recordChecks: readonly Check[] = [archived, recounted];
