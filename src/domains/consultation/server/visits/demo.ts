import type { DemoContext } from '../../../../kernel/server/module.ts';
import { days, minutes, plusDays, plusMs, dayOf } from '../../../../kernel/contract/time.ts';
import { icd10 } from '../../../identity/server/index.ts';
import { getDoctors } from '../../../doctor/server/index.ts';
import { ownDb, ownTx, json } from '../database.ts';
import { systemDeed, type Deed } from '../deed.ts';
import { inquiryOf, type InquiryRow } from '../inquiries/rows.ts';
import { archiveRecord } from './archive.ts';
import { confirmRecord } from './confirm.ts';
import { correctRecord } from './correct.ts';
import { draftRecord } from './draft.ts';
import { lockRecord } from './records.ts';
import { moveRecord } from './write.ts';

const MOST = 240;
const CORRECTED = 9;

const findings = [
  { codes: ['C34.900'], complaint: '咳嗽、痰中带血一月', present: '一月前无诱因出现咳嗽，偶有痰中带血，伴胸闷，体重下降约3公斤。', past: '高血压病史8年，规律服药。', allergy: '否认药物过敏史', advice: '完善胸部增强CT及病理、基因检测；继续靶向治疗，每4周复查血常规和肝肾功能。' },
  { codes: ['C50.900'], complaint: '乳腺癌术后复查', present: '乳腺癌改良根治术后两年，内分泌治疗中，近期关节酸痛。', past: '否认慢性病史。', allergy: '青霉素过敏', advice: '继续内分泌治疗，补充钙剂和维生素D，3个月后复查骨密度和乳腺超声。' },
  { codes: ['E11.900'], complaint: '血糖控制不佳两周', present: '两周来空腹血糖8至10mmol/L，无明显口干多尿。', past: '2型糖尿病6年。', allergy: '无', advice: '调整饮食并记录血糖一周，必要时调整用药，2周后复诊。' },
  { codes: ['I10.x00'], complaint: '头晕一周', present: '一周来晨起头晕，自测血压150/95mmHg。', past: '高血压3年，服药不规律。', allergy: '无', advice: '规律服药，每日早晚测血压，低盐饮食，一周后反馈记录。' },
] as const;

/** Diagnoses of the national list; where a code is unknown there the text stands alone. */
async function diagnosesFor(ctx: Deed, index: number) {
  const known = await icd10(ctx.tx, findings[index % findings.length]!.codes);
  return known.length > 0 ? known.map(({ code, name }, at) => ({ icd10: code, name, main: at === 0 })) : [{ icd10: '', name: findings[index % findings.length]!.complaint, main: true }];
}

/** What becomes of the record of the n-th ended inquiry: every state, more archived than not. */
const fateOf = (n: number): 'DRAFT' | 'WAIT_DOCTOR' | 'CONFIRMED' | 'ARCHIVED' => (n % 8 === 0 ? 'DRAFT' : n % 8 === 1 ? 'WAIT_DOCTOR' : n % 8 < 4 ? 'CONFIRMED' : 'ARCHIVED');

/** Takes one record through the acts that people would have made, at times shortly after the end. */
async function write(base: Deed, inquiry: InquiryRow, n: number): Promise<void> {
  const endedAt = inquiry.endedAt ?? base.now;
  const at = (after: number): Deed => {
    const moment = plusMs(endedAt, after);
    const now = moment > base.now ? base.now : moment;
    return { ...base, now, today: dayOf(now) };
  };
  await draftRecord(at(0), inquiry);
  const row = await ownTx(base.tx).selectFrom('consultationVisitRecord').select('id').where('inquiryId', '=', inquiry.id).orderBy('recordVersion', 'desc').executeTakeFirst();
  if (!row) return;
  const fate = fateOf(n);
  const finding = findings[n % findings.length]!;
  const load = () => lockRecord(base.tx, row.id);
  if (fate === 'DRAFT' && n % 16 === 0) return;
  await moveRecord(at(minutes(12)), (await load()).record, 'modify', {
    chiefComplaint: inquiry.chiefComplaint || finding.complaint, presentIllness: finding.present, pastHistory: finding.past, allergy: finding.allergy, diagnoses: json(await diagnosesFor(base, n)), advice: finding.advice, revisitOn: plusDays(dayOf(endedAt), 28),
  });
  if (fate === 'DRAFT') return;
  await moveRecord(at(minutes(15)), (await load()).record, 'submit');
  if (fate === 'WAIT_DOCTOR') return;
  const submitted = (await load()).record;
  await confirmRecord({ ...at(minutes(50)), actorName: `${inquiry.doctorName}医生` }, { id: row.id, version: submitted.version, action: 'confirm', doctorOperatorId: inquiry.doctorOperatorId });
  if (fate === 'ARCHIVED' && n < CORRECTED * 8) await archiveRecord(at(days(1)), await load());
  if (n % 8 === 2 && n < CORRECTED * 8) await correctRecord(at(days(2)), await load(), '补充既往史并更正诊断');
}

/** Up to 240 records on the ended inquiries, in every state, nine of them corrected; some inquiries are checked. */
export async function writeVisitRecords({ kernel, now, db, transaction }: DemoContext): Promise<void> {
  const inquiries = (await ownDb(db).selectFrom('consultationInquiry').selectAll().where('serverStatus', '=', '4').orderBy('endedAt', 'desc').limit(MOST).execute()).map(inquiryOf);
  const doctors = await getDoctors(db, [...new Set(inquiries.map(({ doctorId }) => doctorId))]);
  await transaction(async ({ tx }) => {
    for (const { doctorId, name, hospitalId, hospitalName, departmentId, adcode, channelId } of doctors) {
      await ownTx(tx).insertInto('consultationDoctorPlace').values({ doctorId, doctorName: name, hospitalId, hospitalName, departmentId, adcode, channelId, updatedAt: now }).onConflict((conflict) => conflict.column('doctorId').doNothing()).execute();
    }
  });
  for (const [n, inquiry] of inquiries.entries()) {
    await transaction(async (writing) => {
      await write(systemDeed(writing, { kernel, now, traceId: 'demo' }), inquiry, n);
      if (n % 8 === 5) await ownTx(writing.tx).updateTable('consultationInquiry').set({ qcScore: 78 + (n % 20), qcTags: ['回复及时', '用语规范'], qcNote: '病史询问较完整', qcAt: now }).where('id', '=', inquiry.id).execute();
    });
  }
}
