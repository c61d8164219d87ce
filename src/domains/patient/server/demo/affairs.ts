import { sql } from 'kysely';
import { dayOf, days, plusDays, plusMs, type Instant } from '../../../../kernel/contract/time.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import { bulk, reserve, type Random } from '../../../../kernel/server/demo/bulk.ts';
import { STORY, type DemoPerson } from './people.ts';

/** Fourteen merges (seven done, one undone and done again among them), nine privacy requests, switches, and who looked. */
export async function writeAffairs(tx: Tx, people: readonly DemoPerson[], now: Instant, random: Random): Promise<void> {
  const today = dayOf(now);
  const pairs: { from: number; into: number; state: string }[] = [
    { from: STORY.wangAgain, into: STORY.wang, state: 'UNDONE' }, { from: STORY.wangAgain, into: STORY.wang, state: 'MERGED' },
    ...Array.from({ length: 6 }, (_, index) => ({ from: 1_100 + index, into: 100 + index, state: 'MERGED' })), ...Array.from({ length: 4 }, (_, index) => ({ from: 1_120 + index, into: 120 + index, state: 'PENDING' })),
    ...Array.from({ length: 2 }, (_, index) => ({ from: 1_130 + index, into: 130 + index, state: 'REJECTED' })),
  ];
  const ids = await reserve(tx, 'patient_merge', pairs.length);
  await bulk(tx, 'patient_merge', pairs.map(({ from, into, state }, index) => {
    const createdAt = plusMs(now, -days(60 - index * 3));
    return {
      id: ids[index], mergeNo: `HB${today.replaceAll('-', '')}${900_001 + index}`, fromId: people[from]!.id, intoId: people[into]!.id, evidence: ['手机号一致'], reason: '同一患者重复建档', suggested: state === 'PENDING', confirmed: false, carried: [], state, makerId: null, checkerId: null,
      opinion: state === 'REJECTED' ? '证件不同，非同一人' : null, decidedAt: state === 'PENDING' ? null : plusMs(createdAt, days(1)), undoneAt: state === 'UNDONE' ? plusMs(createdAt, days(2)) : null, version: 1, createdAt, updatedAt: createdAt,
    };
  }));
  for (const { from, into, state } of pairs) {
    if (state === 'MERGED') await sql`update patient_patient set state = 'MERGED', merged_into_id = ${people[into]!.id}, version = 2 where id = ${people[from]!.id}`.execute(tx);
  }
  const requestIds = await reserve(tx, 'patient_privacy_request', 9);
  await bulk(tx, 'patient_privacy_request', requestIds.map((id, index) => {
    const createdAt = plusMs(now, -days(1 + index * 2));
    const state = (['OPEN', 'OPEN', 'OPEN', 'DOING', 'DOING', 'DONE', 'DONE', 'DONE', 'REFUSED'] as const)[index]!;
    const kind = (['COPY', 'CORRECT', 'DELETE'] as const)[index % 3]!;
    const closed = state === 'DONE' || state === 'REFUSED';
    return {
      id, requestNo: `GX${today.replaceAll('-', '')}${900_001 + index}`, kind, patientId: people[300 + index]!.id, detail: { COPY: '申请复制本人病历资料', CORRECT: '出生日期登记有误，申请更正', DELETE: '不再使用服务，申请注销' }[kind], state, dueAt: plusDays(dayOf(createdAt), 15), resultFileId: null, handlerId: null,
      opinion: state === 'REFUSED' ? '存在在途理赔，暂不受理' : null, finishedAt: closed ? plusMs(createdAt, days(1)) : null, version: 1, createdAt, createdBy: null, updatedAt: createdAt,
    };
  }));
  const scenes = [['REGISTER', false, 'ID2'], ['CONSULT', true, 'ID2'], ['PRESCRIBE', true, 'ID2'], ['BUY_RX', true, 'ID2'], ['CLAIM', true, 'ID3'], ['ENROL', true, 'ID3']] as const;
  const switchIds = await reserve(tx, 'patient_real_name_switch', scenes.length);
  const since = plusMs(now, -days(300));
  await bulk(tx, 'patient_real_name_switch', scenes.map(([scene, required, minMethod], index) => ({ id: switchIds[index], scopeType: 'GLOBAL', scopeId: '0', scopeName: '', scene, required, minMethod, effectiveFrom: since, reason: '平台统一规则', version: 1, createdAt: since, createdBy: null, updatedAt: since, updatedBy: null })));
  const looks = Array.from({ length: 5_000 }, () => ({
    patientId: people[random.int(0, 1_050)]!.id, userId: null, clientId: 'patient-app', role: '', kind: random.chance(0.97) ? 'VIEW' : 'EXPORT', fields: [random.pick(['档案', '诊疗史', '用药建议', '检查检验', '基本信息'])], reason: null, fromPage: '/assistantIM', at: plusMs(now, -days(random.int(0, 120)) - random.int(0, 80_000_000)),
  }));
  await sql`insert into patient_record_access (patient_id, user_id, client_id, role, kind, fields, reason, from_page, at)
    select patient_id, user_id, client_id, role, kind, fields, reason, from_page, at from jsonb_populate_recordset(null::patient_record_access, ${JSON.stringify(looks.map((look) => ({ patient_id: look.patientId, client_id: look.clientId, role: '', kind: look.kind, fields: look.fields, from_page: look.fromPage, at: look.at })))}::jsonb)`.execute(tx);
  await sql`insert into kernel_number (prefix, day, last) values ('PT', '2000-01-01', ${people.length}) on conflict (prefix, day) do update set last = greatest(kernel_number.last, excluded.last)`.execute(tx);
}
